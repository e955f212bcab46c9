// The messages between a frame and the page around it: `{ scalingCalculator: { v: 1, … } }`.

/** What a message holds; nothing if it is none of this version. */
export function messageIn(data: unknown): Record<string, unknown> {
  const message = own(own(data)['scalingCalculator']);
  return message['v'] === 1 ? message : {};
}

const own = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
