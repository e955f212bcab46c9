// A server for agents over stdin and stdout: a tool for each question, and one that describes the
// rest.

import type { Asking } from '../asking/asking.ts';
import { schemaOf, type Schema } from '../engine/schema.ts';
import { sayCounting } from '../link/questions.ts';
import { countings, initialState } from '../model/state.ts';
import { questions, views, type Question } from '../model/views.ts';
import { Defaults } from './defaults.ts';
import { Describing } from './describing.ts';
import { reply } from './reply.ts';

/** The package that speaks the protocol is not installed. */
export class Missing extends Error {}

/** Who only asks from a terminal has no use for the protocol: its package is optional. */
async function protocol() {
  try {
    const { McpServer, fromJsonSchema } = await import('@modelcontextprotocol/server');
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
    return { McpServer, fromJsonSchema, serveStdio };
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Missing(
      'mcp needs a package that is not installed: npm install @modelcontextprotocol/server@2',
    );
  }
}

const instructions = `Each tool answers one question of scaling large language models. Chips and models are presets, named by their ids; all numbers are in base units (bytes, seconds, FLOPs, dollars), shares from 0 to 1. A field that is left out takes its default; one without a default takes what suits the chip and the model, and the best layout is searched. “describe” lists further fields, which the tools take too, all answers, and the figures of presets.`;

/** Nothing that a tool does changes anything. */
const annotations = { readOnlyHint: true };

/** What is wrong with an input is said in the words of the calculator, not in those of a schema. */
const anything = {
  getValidator: () => (data: unknown) => ({
    valid: true as const,
    data: data as never,
    errorMessage: undefined,
  }),
};

/** The schema of a question; of one that is counted in two ways, with the way. */
const counted = (question: Question, { properties, ...schema }: Schema): Schema =>
  views[question].predictedBy
    ? {
        ...schema,
        properties: {
          ...(properties as Schema),
          counting: {
            enum: countings,
            default: initialState.counting,
            description: sayCounting,
          },
        },
      }
    : { ...schema, properties };

export interface Settings {
  version: string;
  /** Where the page lies. */
  page: string;
}

/** Serves until stdin ends. Throws `Missing` where the protocol's package is. */
export async function serve(asking: Asking, { version, page }: Settings): Promise<void> {
  const { McpServer, fromJsonSchema, serveStdio } = await protocol();
  const description = asking.describe();
  const defaults = new Defaults(asking.engine.describe());
  const describing = new Describing(asking, defaults);
  serveStdio(() => {
    const server = new McpServer({ name: 'scaling-calculator', version }, { instructions });
    for (const question of questions) {
      const {
        title,
        description: sentence,
        ...schema
      } = schemaOf(description, question, {
        main: true,
      });
      server.registerTool(
        question,
        {
          title: String(title),
          description: String(sentence),
          inputSchema: fromJsonSchema(
            counted(question, defaults.in(schema as Schema)) as never,
            anything,
          ),
          annotations,
        },
        (input) => reply(asking, question, input, page),
      );
    }
    server.registerTool(
      'describe',
      {
        title: 'Describe',
        description: Describing.sentence,
        inputSchema: fromJsonSchema(describing.schema as never, anything),
        annotations,
      },
      (input) => describing.tell(input),
    );
    return server;
  });
}
