import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { PixelBlock, SampleType } from '../../types.ts'
import { compileExpression } from './compile.ts'
import { evaluateInBatches } from './evaluate-batches.ts'
import { evaluateExpression } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import type { ExpressionNode } from './expression.ts'

const typeNames = Object.keys(sampleTypeProperties) as SampleType[]
const bandPlaces = new Map([
  ['nir', 2],
  ['red', 0],
  ['b2', 1],
])
const side = 80

/** Whole numbers below a limit, always the same ones. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) % limit
  }
}

/** Samples of a type with its extremes, zeros and, for floating point, NaN and infinities. */
function makeBlock(type: SampleType): PixelBlock {
  const random = createRandom(type.length * 7919)
  const { lowest, highest, format } = sampleTypeProperties[type]
  const rare = format === 3 ? [NaN, Infinity, -Infinity, -0, 1e300, 1e-320, 0.1] : [lowest, highest, 1, 2]
  const data = sampleTypeProperties[type].allocate(side * side * 3)
  for (let i = 0; i < data.length; i++) {
    const kind = random(8)
    data[i] = kind === 0 ? rare[random(rare.length)]! : kind === 1 ? 0 : random(400) - (lowest < 0 ? 200 : 0)
    if (format === 3 && kind > 4) data[i]! /= 100
  }
  const mask = Uint8Array.from({ length: side * side }, () => (random(10) === 0 ? 0 : 255))
  return { width: side, height: side, bands: 3, data, mask }
}

function randomFormula(random: (limit: number) => number, depth: number): string {
  const next = (): string => randomFormula(random, depth - 1)
  const leaves = ['nir', 'red', 'b2', 'b1', '0', '1', '2.5', '1e-3', '0.5', '100', '1e999']
  if (depth === 0) return leaves[random(leaves.length)]!
  const operators = ['+', '-', '*', '/', '**', '<', '<=', '>', '>=', '==', '!=', 'and', 'or']
  const shapes = [
    () => `(${next()} ${operators[random(operators.length)]} ${next()})`,
    () => `(${next()} ${operators[random(5)]} ${next()})`,
    () => `(${['-', 'not '][random(2)]}(${next()}))`,
    () => `${['abs', 'sqrt', 'log', 'log10', 'exp'][random(5)]}(${next()})`,
    () => `${['min', 'max'][random(2)]}(${next()}, ${next()}, ${next()})`,
    () => `where(${next()}, ${next()}, ${next()})`,
  ]
  return shapes[random(shapes.length)]!()
}

function assertSame(text: string, block: PixelBlock, label: string): void {
  const expression = parseExpression(text, { depth: 100 })
  const compiled = evaluateExpression(expression, block, bandPlaces)
  const type = compiled.data instanceof Float32Array ? 'float32' : 'float64'
  const walked = evaluateInBatches(expression, block, new Map([...bandPlaces, ['b1', 0]]), type)
  const words = (samples: PixelBlock['data']): Buffer => Buffer.from(samples.buffer)
  assert.ok(words(compiled.data).equals(words(walked.data)), `${label}: ${text}`)
  assert.ok(Buffer.from(compiled.mask).equals(Buffer.from(walked.mask)), `mask, ${label}: ${text}`)
}

test('compiled formulas equal walked ones bit by bit, on every sample type', () => {
  const random = createRandom(4)
  const blocks = typeNames.map((type) => [type, makeBlock(type)] as const)
  const known = ['(nir - red) / (nir + red)', '2.5 * (nir - red) / (nir + 6 * red - 7.5 * b2 + 1)', 'nir / red', '1']
  const formulas = [...known, ...Array.from({ length: 60 }, (_, i) => randomFormula(random, 1 + (i % 4)))]
  for (const text of formulas) for (const [type, block] of blocks) assertSame(text, block, type)
})

test('what is no number decides nothing, and the smallest parts keep their sign', () => {
  const block = makeBlock('float64')
  for (const text of [
    'where(nir / 0 > 1, 1, 2)',
    'not (0 / 0)',
    'max(nir, 0 / red)',
    '-nir * 0',
    '1 / (1 / nir)',
    '(nir / red) > -1 or 1',
    'exp(-(1 / red))',
  ])
    assertSame(text, block, 'float64')
})

test('a formula is computed from its structure, so that no text of anybody gets into the function', () => {
  const block = makeBlock('uint8')
  const name = 'nir; throw new Error("run") //'
  const band: ExpressionNode = { kind: 'band', name }
  const places = new Map([[name, 1]])
  const run = (root: ExpressionNode): PixelBlock => evaluateExpression({ text: 'a', root }, block, places)
  assert.equal(run({ kind: 'binary', operator: '+', left: band, right: band }).data[0], 2 * block.data[side * side]!)
  const forged = [
    { kind: 'call', name: 'constructor', inputs: [band] },
    { kind: 'call', name: 'abs(1);abs', inputs: [band] },
    { kind: 'call', name: 'where', inputs: [band] },
    { kind: 'binary', operator: '+ alert() +', left: band, right: band },
    { kind: 'binary', operator: 'toString', left: band, right: band },
    { kind: 'unary', operator: 'typeof', operand: band },
    { kind: 'number', value: '1; throw 1' },
    { kind: 'text', value: 'x' },
  ]
  for (const root of forged)
    assert.throws(
      () => compileExpression({ text: 'a', root: root as ExpressionNode }, places, block.data),
      { name: 'RasterFailure', kind: 'expression' },
      JSON.stringify(root),
    )
  const literals = [-0, Infinity, -Infinity, NaN, 1e21, 5e-324]
  for (const value of literals) {
    const wanted = Math.abs(value) > 2 ** 24 ? value : Math.fround(value)
    assert.equal(run({ kind: 'number', value }).data[0], Number.isFinite(value) ? wanted : NaN)
  }
})

test('a formula that was nested beyond reason is refused, not followed until the stack ends', () => {
  let root: ExpressionNode = { kind: 'number', value: 1 }
  for (let i = 0; i < 100_000; i++) root = { kind: 'unary', operator: '-', operand: root }
  assert.throws(() => compileExpression({ text: 'a', root }, new Map(), Uint8Array.of(1)), { kind: 'expression' })
})

test('many formulas push each other out without harm', () => {
  const samples = Uint16Array.of(3, 5)
  const out = new Float32Array(2)
  for (let i = 0; i < 600; i++) {
    const { run, bands } = compileExpression(parseExpression(`b1 + ${i % 300}`), new Map([['b1', 7]]), samples)!
    run(out, samples)
    assert.deepEqual([...out, ...bands], [3 + (i % 300), 5 + (i % 300), 7])
  }
})

test('where texts may not be run, formulas are walked', () => {
  const script = `
    import { evaluateExpression } from './evaluate.ts'
    import { parseExpression } from './expression.ts'
    const data = new Uint16Array(6400).fill(21)
    const block = { width: 80, height: 80, bands: 1, data, mask: new Uint8Array(6400).fill(255) }
    process.stdout.write(String(evaluateExpression(parseExpression('b1 * 2'), block, {}).data[6399]))`
  const run = spawnSync(
    process.execPath,
    [
      '--disallow-code-generation-from-strings',
      '--input-type=module',
      '--eval',
      script.replaceAll('./', `${new URL('.', import.meta.url)}`),
    ],
    { encoding: 'utf8' },
  )
  assert.equal(run.stdout, '42', run.stderr)
})
