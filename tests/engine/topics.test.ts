// The topics of fields, by which views choose what they ask for.

import { describe, expect, test } from 'vitest';
import { createEngine, type GroupName } from '../../web/src/engine/index.ts';
import { questions, views } from '../../web/src/model/views.ts';

const { groups, questions: infos } = (await createEngine()).describe();
const topicsOf = (group: GroupName) => new Set(groups[group].map(({ topic }) => topic));

describe('topics', () => {
  test.each(questions)('that the view of %s names are those of its groups', (question) => {
    for (const [group, topics] of Object.entries(views[question].topics ?? {})) {
      expect(infos[question].groups).toContain(group);
      expect([...topicsOf(group as GroupName)]).toEqual(expect.arrayContaining([...topics]));
      // A view that names all of them has nothing to leave out.
      expect(topics.length).toBeLessThan(topicsOf(group as GroupName).size);
    }
  });

  test.each(Object.keys(groups) as GroupName[])('of %s are each asked for by a view', (group) => {
    const asking = questions.filter((question) => infos[question].groups.includes(group));
    const asked = asking.flatMap((question) => [
      ...(views[question].topics?.[group] ?? topicsOf(group)),
    ]);
    expect(asked).toEqual(expect.arrayContaining([...topicsOf(group)]));
  });
});
