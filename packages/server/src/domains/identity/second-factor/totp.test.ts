import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQR from 'jsqr'
import { generateSync } from 'otplib'
import { buildOtpauthUri, findTotpStep, generateTotpSecret, isTotpCode, renderQrCode } from './totp.ts'

const now = new Date('2026-11-30T12:00:10.000Z')
const now_s = now.getTime() / 1000
const step = Math.floor(now_s / 30)

const codeAt = (secret: string, seconds: number): string => generateSync({ secret, epoch: seconds })

test('accepts the codes of another implementation, of this period and its neighbours only', () => {
  for (let round = 0; round < 20; round += 1) {
    const secret = generateTotpSecret()
    for (const offset of [-1, 0, 1])
      assert.equal(findTotpStep(secret, codeAt(secret, now_s + offset * 30), now), step + offset)
    for (const offset of [-3, -2, 2, 3]) {
      const code = codeAt(secret, now_s + offset * 30)
      const isSameByChance = [-1, 0, 1].some((near) => codeAt(secret, now_s + near * 30) === code)
      if (!isSameByChance) assert.equal(findTotpStep(secret, code, now), null)
    }
  }
})

test('gives the codes of RFC 6238, whose secret is in ASCII', () => {
  // Its test vectors have eight digits, of which six are the last ones.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const vectors = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const
  for (const [seconds, code] of vectors)
    assert.equal(findTotpStep(secret, code, new Date(seconds * 1000)), Math.floor(seconds / 30))
})

test('refuses texts that are no codes', () => {
  for (const code of ['', '12345', '1234567', 'abcdef', '12345 ', '１２３４５６'])
    assert.deepEqual([isTotpCode(code), findTotpStep(generateTotpSecret(), code, now)], [false, null], code)
})

test('the QR code says what an app reads', () => {
  const secret = generateTotpSecret()
  const uri = buildOtpauthUri(secret, 'ada@example.org')
  const { protocol, hostname, pathname, searchParams } = new URL(uri)
  assert.deepEqual([protocol, hostname, pathname], ['otpauth:', 'totp', '/Swath:ada%40example.org'])
  assert.deepEqual([searchParams.get('secret'), searchParams.get('issuer')], [secret, 'Swath'])
  const svg = renderQrCode(uri)
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)![1])
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [, x, y, width, height] of svg.matchAll(/M(\d+),(\d+)h(\d+)v(\d+)/g)) {
    for (let row = Number(y); row < Number(y) + Number(height); row += 1)
      for (let column = Number(x); column < Number(x) + Number(width); column += 1)
        pixels.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3)
  }
  assert.equal(jsQR.default(pixels, size, size)?.data, uri)
})
