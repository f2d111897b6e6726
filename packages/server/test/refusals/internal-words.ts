/**
 * Words of the code, of its libraries and of JSON Schema that a message to users does not contain: a reader who knows files and maps,
 * and not this program, would not know what to do. The list may only grow.
 */
export const internalWords: readonly RegExp[] = [
  /\b(?:blocks?|kernels?|buffers?|threads?|stack|heap|codecs?|regex|DOM|xmldom|GeoKeys?|payload|callback|instance|subschema)\b/,
  /\b(?:undefined|NaN|null|finite|Infinity|TypeError|ENOENT|ECONN\w+)\b/,
  // Names of variables; those of parameters are in backticks.
  /\b[a-z]+[A-Z][A-Za-z]*\b/,
  // Places in JSON: `geometry.coordinates.0.1`, `coordinates[0][2]`, `/features/3`.
  /\b(?:geometry|coordinates|geometries|features|properties)(?:\.\d|\[\d|\.coordinates)|\bmust be equal to constant\b/,
  /\[object |\bat position \d+ in JSON\b|\bin JSON at position\b/,
]

/** The first internal word of a message; null if it has none. */
export function findInternalWord(message: string): string | null {
  const text = message.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '')
  for (const pattern of internalWords) {
    const found = pattern.exec(text)
    if (found) return found[0]
  }
  return null
}
