/** The same memory as a Buffer, which is what Fastify sends: to copy a tile would take longer than the rest of its call. */
export const viewAsBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
