const block_bytes = 64

/** The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function rootBits(count: number, power: number): Uint32Array {
  const bits = new Uint32Array(count)
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let isPrime = true
    for (let divisor = 2; divisor * divisor <= candidate && isPrime; divisor++) isPrime = candidate % divisor !== 0
    if (!isPrime) continue
    const root = candidate ** power
    bits[found++] = (root - Math.floor(root)) * 2 ** 32
  }
  return bits
}

const round_constants = rootBits(64, 1 / 3)

/** A SHA-256 that takes its bytes piece by piece: `crypto.subtle` needs a whole file in memory. */
export interface Sha256 {
  readonly update: (bytes: Uint8Array) => void
  /** The digest in hexadecimal; nothing can be added afterwards. */
  readonly digest: () => string
}

/** With the hash of Node, Deno or Bun, which is several times faster; else with ours. */
export const createSha256 = (): Sha256 => createNativeSha256() ?? createPortableSha256()

/** Null in browsers. Asked for at run time: an import of a module of Node would not load there. */
function createNativeSha256(): Sha256 | null {
  const modules = typeof process === 'object' ? process : undefined
  const hash = modules?.getBuiltinModule?.('node:crypto').createHash('sha256')
  return hash ? { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') } : null
}

export function createPortableSha256(): Sha256 {
  const state = rootBits(8, 1 / 2)
  const schedule = new Uint32Array(64)
  const pending = new Uint8Array(block_bytes)
  let pending_bytes = 0
  let total_bytes = 0

  const update = (bytes: Uint8Array): void => {
    total_bytes += bytes.length
    let at = 0
    if (pending_bytes > 0) {
      at = Math.min(block_bytes - pending_bytes, bytes.length)
      pending.set(bytes.subarray(0, at), pending_bytes)
      pending_bytes += at
      if (pending_bytes < block_bytes) return
      compress(state, schedule, pending, 0)
    }
    for (; at + block_bytes <= bytes.length; at += block_bytes) compress(state, schedule, bytes, at)
    pending.set(bytes.subarray(at))
    pending_bytes = bytes.length - at
  }

  const digest = (): string => {
    const length_bytes = total_bytes
    const padding = new Uint8Array(pending_bytes < 56 ? block_bytes - pending_bytes : 2 * block_bytes - pending_bytes)
    padding[0] = 0x80
    new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(length_bytes) * 8n)
    update(padding)
    return [...state].map((word) => word.toString(16).padStart(8, '0')).join('')
  }
  return { update, digest }
}

/** One block (FIPS 180-4, 6.2.2). */
function compress(state: Uint32Array, schedule: Uint32Array, bytes: Uint8Array, at: number): void {
  for (let word = 0; word < 16; word++) {
    const from = at + 4 * word
    schedule[word] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
  }
  for (let word = 16; word < 64; word++) {
    const x = schedule[word - 15]!
    const y = schedule[word - 2]!
    const sigma0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const sigma1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    schedule[word] = schedule[word - 16]! + sigma0 + schedule[word - 7]! + sigma1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let round = 0; round < 64; round++) {
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const choice = (e & f) ^ (~e & g)
    const temporary1 = (h + sum1 + choice + round_constants[round]! + schedule[round]!) | 0
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + temporary1) | 0
    d = c
    c = b
    b = a
    a = (temporary1 + ((sum0 + majority) | 0)) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let word = 0; word < 8; word++) state[word] = state[word]! + added[word]!
}
