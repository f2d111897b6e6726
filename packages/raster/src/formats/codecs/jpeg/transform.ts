/*
 * The inverse discrete cosine transform in whole numbers after Loeffler, Ligtenberg and Moschytz (ICASSP 1989): eleven
 * multiplications a line, factors with 13 bits behind the point, two more bits kept between columns and rows. This is the
 * arithmetic of libjpeg's accurate transform, so that samples are the same to the bit.
 */
const workspace = new Int32Array(64)

/** Turns 64 dequantized coefficients into samples of 0 to 255, eight rows of eight, `stride` apart. */
export function inverseTransform(coefficients: Int32Array, output: Uint8Array, at: number, stride: number): void {
  for (let column = 0; column < 8; column++) transformLine(coefficients, column, 8, workspace, 11)
  for (let row = 0; row < 8; row++) {
    transformLine(workspace, row * 8, 1, workspace, 18)
    for (let column = 0; column < 8; column++) {
      const value = workspace[row * 8 + column]! + 128
      output[at + row * stride + column] = value < 0 ? 0 : value > 255 ? 255 : value
    }
  }
}

function transformLine(input: Int32Array, at: number, step: number, output: Int32Array, shift: number): void {
  const half = 1 << (shift - 1)
  const c0 = input[at]!
  const c1 = input[at + step]!
  const c2 = input[at + 2 * step]!
  const c3 = input[at + 3 * step]!
  const c4 = input[at + 4 * step]!
  const c5 = input[at + 5 * step]!
  const c6 = input[at + 6 * step]!
  const c7 = input[at + 7 * step]!
  if ((c1 | c2 | c3 | c4 | c5 | c6 | c7) === 0) {
    const level = ((c0 << 13) + half) >> shift
    for (let place = 0; place < 8; place++) output[at + place * step] = level
    return
  }
  const even = Math.imul(c2 + c6, 4433)
  const e2 = even - Math.imul(c6, 15_137)
  const e3 = even + Math.imul(c2, 6270)
  const e0 = (c0 + c4) << 13
  const e1 = (c0 - c4) << 13
  const p0 = e0 + e3 + half
  const p3 = e0 - e3 + half
  const p1 = e1 + e2 + half
  const p2 = e1 - e2 + half
  const z5 = Math.imul(c7 + c3 + c5 + c1, 9633)
  const z3 = z5 - Math.imul(c7 + c3, 16_069)
  const z4 = z5 - Math.imul(c5 + c1, 3196)
  const z1 = Math.imul(c7 + c1, -7373)
  const z2 = Math.imul(c5 + c3, -20_995)
  const o0 = Math.imul(c7, 2446) + z1 + z3
  const o1 = Math.imul(c5, 16_819) + z2 + z4
  const o2 = Math.imul(c3, 25_172) + z2 + z3
  const o3 = Math.imul(c1, 12_299) + z1 + z4
  output[at] = (p0 + o3) >> shift
  output[at + 7 * step] = (p0 - o3) >> shift
  output[at + step] = (p1 + o2) >> shift
  output[at + 6 * step] = (p1 - o2) >> shift
  output[at + 2 * step] = (p2 + o1) >> shift
  output[at + 5 * step] = (p2 - o1) >> shift
  output[at + 3 * step] = (p3 + o0) >> shift
  output[at + 4 * step] = (p3 - o0) >> shift
}
