import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PixelBlock } from '../../types.ts'
import { evaluateExpression } from './evaluate.ts'
import { listExpressionBands, parseExpression } from './expression.ts'

const names = { nir: 0, red: 1, b1: 0, b2: 1 }

function block(nir: number[], red: number[], mask?: number[]): PixelBlock {
  const valid = mask ? Uint8Array.from(mask) : new Uint8Array(nir.length).fill(255)
  return { width: nir.length, height: 1, bands: 2, data: Float64Array.from([...nir, ...red]), mask: valid }
}

function value(text: string, nir = 6, red = 2): number {
  return evaluateExpression(parseExpression(text), block([nir], [red]), names).data[0]!
}

test('the usual rules of arithmetic hold', () => {
  assert.equal(value('1 + 2 * 3'), 7)
  assert.equal(value('10 - 4 - 3'), 3)
  assert.equal(value('2 ** 3 ** 2'), 512)
  assert.equal(value('-2 ** 2'), -4)
  assert.equal(value('2 ** -1'), 0.5)
  assert.equal(value('(1 + 2) * 3'), 9)
  assert.equal(value('8 / 4 / 2'), 1)
  assert.equal(value('.5e1 + 1.'), 6)
  assert.equal(value('(nir - red) / (nir + red)'), 0.5)
  assert.equal(value('(b1-b2)/(b1+b2)'), 0.5)
})

test('comparisons, logic and functions', () => {
  assert.equal(value('nir > 3 and red < 3'), 1)
  assert.equal(value('nir < 3 or not red == 2'), 0)
  assert.equal(value('not nir < 3'), 1)
  assert.equal(value('where(nir >= 6, 10, 20)'), 10)
  assert.equal(value('where(nir != 6, 10, 20)'), 20)
  assert.equal(value('max(1, min(nir, red, 5)) + abs(-3) + sqrt(16)'), 9)
  assert.ok(Math.abs(value('log(exp(2)) + log10(1000)') - 5) < 1e-6)
})

test('results that are no finite number are masked', () => {
  const result = evaluateExpression(
    parseExpression('nir / red'),
    block([1, 1, 4, 2], [0, 1, 2, 1], [255, 255, 255, 0]),
    names,
  )
  assert.deepEqual([...result.mask], [0, 255, 255, 0])
  assert.deepEqual([...result.data], [NaN, 1, 2, NaN])
  for (const text of [
    'sqrt(0 - 1)',
    'log(0)',
    '(nir / 0) > 1',
    'where(1 / 0, 1, 2)',
    'max(1, 0 / 0)',
    '1e300 * 1e300',
    'not (0 / 0)',
  ])
    assert.equal(evaluateExpression(parseExpression(text), block([1], [1]), names).mask[0], 0, text)
  assert.equal(value('where(red == 0, 5, nir / red)', 1, 0), 5)
})

test('blocks larger than a batch are evaluated to the end', () => {
  const count = 10_000
  const data = Uint16Array.from({ length: count }, (_, i) => i)
  const image = { width: 100, height: 100, bands: 1, data, mask: new Uint8Array(count).fill(255) }
  const result = evaluateExpression(parseExpression('b1 * 2'), image, {})
  assert.equal(result.data[9999], 19_998)
  assert.equal(result.data[4096], 8192)
  assert.ok(result.data instanceof Float32Array)
})

test('band names are collected once, in order', () => {
  assert.deepEqual(listExpressionBands(parseExpression('(b4 - red) / where(b4 > 0, b4, SWIR_1)')), [
    'b4',
    'red',
    'SWIR_1',
  ])
})

test('a name without a band is refused, also one that objects have by nature', () => {
  for (const text of ['swir', 'b3', 'b0', 'constructor', '__proto__'])
    assert.throws(() => value(text), { name: 'RasterFailure', kind: 'expression' }, text)
})

test('faulty formulas say where they are wrong', () => {
  const cases: [string, RegExp][] = [
    ['', /the end/],
    ['1 +', /the end at position 4/],
    ['1 2', /“2” at position 3/],
    ['(1', /“\)” is missing before the end/],
    ['2 ^ 3', /“\^” at position 3.*write \*\*/],
    ['b1 & b2', /write and/],
    ['foo(1)', /no function “foo”/],
    ['toString(1)', /no function/],
    ['where(1, 2)', /takes 3 inputs, not 2/],
    ['abs(1, 2)', /takes 1 inputs, not 2/],
    ['1 < 2 < 3', /join comparisons/],
    ['and', /“and” at position 1/],
    ['b1.x', /position 3/],
    ['b1; b2', /“;” at position 3/],
    ['🛰', /“🛰” at position 1/],
  ]
  for (const [text, message] of cases) assert.throws(() => parseExpression(text), { kind: 'expression', message }, text)
})

test('length, size and depth are capped before anything is evaluated', () => {
  assert.throws(() => parseExpression('1'.repeat(2001)), { message: /2000 characters/ })
  assert.throws(() => parseExpression(Array(300).fill('1').join('+')), { message: /256 parts/ })
  assert.throws(() => parseExpression(`${'('.repeat(100)}1${')'.repeat(100)}`), { message: /32 deep/ })
  assert.throws(() => parseExpression(`${'-'.repeat(100)}1`), { message: /32 deep/ })
  assert.throws(() => parseExpression(Array(100).fill('1').join('**')), { message: /32 deep/ })
  assert.throws(() => parseExpression('1+1+1', { nodes: 3 }), { message: /3 parts/ })
})
