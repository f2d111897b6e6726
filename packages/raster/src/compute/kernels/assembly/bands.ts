/** Copies one band of `width` × `rows` pixels; strides count samples. */
export function copyBand(
  to: usize,
  toPixel: usize,
  toRow: usize,
  from: usize,
  fromPixel: usize,
  fromRow: usize,
  width: usize,
  rows: usize,
  sampleBytes: i32,
): void {
  if (sampleBytes == 1) copySamples<u8>(to, toPixel, toRow, from, fromPixel, fromRow, width, rows)
  else if (sampleBytes == 2) copySamples<u16>(to, toPixel, toRow, from, fromPixel, fromRow, width, rows)
  else if (sampleBytes == 4) copySamples<u32>(to, toPixel, toRow, from, fromPixel, fromRow, width, rows)
  else copySamples<u64>(to, toPixel, toRow, from, fromPixel, fromRow, width, rows)
}

function copySamples<T>(
  to: usize,
  toPixel: usize,
  toRow: usize,
  from: usize,
  fromPixel: usize,
  fromRow: usize,
  width: usize,
  rows: usize,
): void {
  const toStep = toPixel * sizeof<T>()
  const fromStep = fromPixel * sizeof<T>()
  for (; rows > 0; rows--) {
    if (toPixel == 1 && fromPixel == 1) memory.copy(to, from, width * sizeof<T>())
    else copyRow<T>(to, toStep, from, fromStep, width)
    to += toRow * sizeof<T>()
    from += fromRow * sizeof<T>()
  }
}

/** Four at a time, so that loads need not wait for stores. */
function copyRow<T>(to: usize, toStep: usize, from: usize, fromStep: usize, width: usize): void {
  for (; width >= 4; width -= 4) {
    const a = load<T>(from)
    const b = load<T>(from + fromStep)
    const c = load<T>(from + fromStep * 2)
    const d = load<T>(from + fromStep * 3)
    store<T>(to, a)
    store<T>(to + toStep, b)
    store<T>(to + toStep * 2, c)
    store<T>(to + toStep * 3, d)
    from += fromStep * 4
    to += toStep * 4
  }
  for (; width > 0; width--) {
    store<T>(to, load<T>(from))
    from += fromStep
    to += toStep
  }
}
