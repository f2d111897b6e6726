/** Turns sums along a row back into differences, in place: out[i] = in[i] - in[i - stride], wrapping around. */
export function computeRowDifferences<T>(at: usize, rowSamples: usize, stride: usize): void {
  const pixelBytes = stride * sizeof<T>()
  const first = at + pixelBytes
  let end = at + rowSamples * sizeof<T>()
  while (end >= first + 16) {
    end -= 16
    v128.store(end, v128.sub<T>(v128.load(end), v128.load(end - pixelBytes)))
  }
  while (end > first) {
    end -= sizeof<T>()
    store<T>(end, <T>(load<T>(end) - load<T>(end - pixelBytes)))
  }
}
