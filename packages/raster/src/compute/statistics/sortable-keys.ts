/**
 * The bits of a float64 in the order of its value: a head of 18 bits (sign, exponent and the first 6 bits of the fraction)
 * and a rest of 46, a whole number that float64 holds exactly. Below zero both run backwards.
 */
export const sortable_key_head_cardinality = 2 ** 18
export const sortable_key_rest_cardinality = 2 ** 46

const rest_high_factor = 2 ** 32
const one = new Float64Array(1)
const oneWords = new Uint32Array(one.buffer)

/** The two 32-bit words of each value, the low one first. */
export function splitValuesIntoWords(values: Float64Array, count: number): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, count * 2)
}

/** The head of a value, by its high word. */
export function getSortableKeyHead(high: number): number {
  return (high >>> 14) ^ ((high >> 31) & 0x1ffff) ^ 0x20000
}

/** The rest of a value, by both words. */
export function getSortableKeyRest(high: number, low: number): number {
  const rest = (high & 0x3fff) * rest_high_factor + low
  return high >> 31 === 0 ? rest : sortable_key_rest_cardinality - 1 - rest
}

/** The value that a head and a rest stand for. */
export function decodeSortableKey(head: number, rest: number): number {
  const positive = head >= sortable_key_head_cardinality / 2
  const plain = positive ? rest : sortable_key_rest_cardinality - 1 - rest
  oneWords[0] = plain % rest_high_factor
  oneWords[1] = ((positive ? head ^ 0x20000 : head ^ 0x3ffff) << 14) | Math.floor(plain / rest_high_factor)
  return one[0]!
}
