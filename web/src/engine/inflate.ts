/** A module's bytes, of what the build made of them. */
export async function inflate(deflated: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(deflated), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
