/** Filter types of PNG (ISO/IEC 15948, 9.2). */
const filter_sub: u8 = 1
const filter_up: u8 = 2

/** Each byte less the one above it; in the first row less the one a pixel to the left. */
export function filterUp(to: usize, from: usize, rowBytes: usize, rows: usize, pixelBytes: usize): void {
  if (rows == 0) return
  const first = min(pixelBytes, rowBytes)
  store<u8>(to, filter_sub)
  memory.copy(to + 1, from, first)
  subtract(to + 1 + first, from + first, from, rowBytes - first)
  for (let y: usize = 1; y < rows; y++) {
    to += rowBytes + 1
    from += rowBytes
    store<u8>(to, filter_up)
    subtract(to + 1, from, from - rowBytes, rowBytes)
  }
}

function subtract(to: usize, from: usize, less: usize, bytes: usize): void {
  let at: usize = 0
  for (; at + 16 <= bytes; at += 16) {
    v128.store(to + at, i8x16.sub(v128.load(from + at), v128.load(less + at)))
  }
  for (; at < bytes; at++) store<u8>(to + at, load<u8>(from + at) - load<u8>(less + at))
}
