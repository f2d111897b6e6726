/** A SHA-256 as a multihash begins with the code of the function and the number of its bytes. */
const sha256Prefix = '1220'

/** The SHA-256 of a multihash in hexadecimal, such as the `file:checksum` of an asset; null without one, or of another function. */
export const sha256OfMultihash = (multihash: string | null | undefined): string | null =>
  multihash && /^1220[0-9a-f]{64}$/i.test(multihash) ? multihash.slice(sha256Prefix.length).toLowerCase() : null
