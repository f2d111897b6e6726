import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyColourOperations, checkColourOperations, parseColourFormula } from './colour-formula.ts'

/** 24 colours: black, white, grey, red, one near black, and random ones. */
const colours =
  '000000ffffff808080ff0000010203c68177d595ce398dea0e82d24cfea148ce70dfca83e9b344019f7f7f5761d2fd3f2177fecc37031ed818772931d1dbf84d9cb1571de1470b33'

/** The same colours after each formula, by `ImageData.apply_color_formula` of rio-tiler 9.4.12 with color-operations 0.4.0. */
const expected: readonly (readonly [formula: string, colours: string])[] = [
  [
    'gamma RGB 3.5 saturation 1.7 sigmoidal RGB 15 0.35',
    '000000fefffefefefeff00000e2d52fefefefefefed9feff00feffe3fffeedfefdfefefefffeeb00fefefefdfefeffcc0cfefffff80000ff0dfef1f9fefefff8fefefed0fffe48fe',
  ],
  [
    'gamma RGB 1.4',
    '000000ffffff9b9b9bff000004070ad49c93e0adda57a7ef209ddd6bfeb767da8de7d79eefc66304b59a9a767fddfd5d3b93fed9550a37e22f93454edde4f96cb3c47635e9661b50',
  ],
  [
    'gamma b 0.8, gamma g 1.1',
    '000000ffffff80886bff0000010300c68962d59cc33994e50e8ac84cfe8f48d25bdfce6ee9b83001a56a7f5f4cd2fd2c217ffdcc3f001edb0d773020d1def64da3a15723da470e22',
  ],
  [
    'gamma 13 2',
    '000000ffffffb480b4ff00000f021be081aee995e5788df43b82e78bfeca87cea8eecab6f3b3830f9fb3b3579de7fd7e5b77fee4371b57d84eae296fe6dbfb8c9cd4941def860b72',
  ],
  [
    'sigmoidal RGB 6 0.5',
    '000000ffffff808080ff0000000000df8171eba2e51f95f70483e833feb42ee566f1e285f6cb2a00b17e7e414fe8fe250e71fee41d000ced09711319e8effc34adc9410bf22d031a',
  ],
  [
    'sigmoidal rgb 20 0.15',
    '000000fffffffefefeff0000000203fefefefefefeccfefe16fefef1fefeedfefefefefefefee700fefefef9fcfefedd5dfefefec6034ffe35fe87aefefefef2fefef94afeeb0fb7',
  ],
  [
    'sigmoidal RG -8 0.4',
    '000000ffffff686880ff00000305038e68779972ce436eea1c69d24ef2a14c9370a39083af824403777f67546197ea3f3163fe9242032f9c18633831969ff84e75b1542ee14b1833',
  ],
  [
    'sigmoidal RGB 10 0',
    '000000fffffffbfbfbff000004090efefbfafefdfecdfdfe44fbfee6fefee2fef8fefefcfefedd04fefbfbeef3fefed791fafefeca0e86fe6ffaa9bdfefefee7fdfeee83fee136c2',
  ],
  [
    'sigmoidal RGB 0 0.5',
    '000000ffffff808080ff0000010203c68177d595ce398dea0e82d24cfea148ce70dfca83e9b344019f7f7f5761d2fd3f2177fecc37031ed818772931d1dbf84d9cb1571de1470b33',
  ],
  [
    'saturation 1.3',
    '000000fefffe7f807fff0000000203d27a6ee08dd8008eff0083ec00ff8c00d358e2c96cf0b00000a37b865360c1ff000076ffe0000000de0083182bcddaff199eba3a00ff500037',
  ],
  [
    'saturation 0',
    '000000ffffff8080807f7f7f010101929292a9a9a98b8b8b7d7d7de0e0e0b5b5b5cacacabbbbbb8c8c8c616161ececec7d7d7d6d6d6dbababa434343dbdbdb919191515151242424',
  ],
  [
    'saturation 2.5',
    '000000fefffe7f807fff0000000204ff574eff60ff0097ff008eff00ff1a00e200e8ca00ffa80000af6ba43d5f44ff00007cffff000000ee00b10019badbff00a9e10000ff730048',
  ],
  [
    'saturation 0.4',
    '000000ffffff808080bc6752010102a98c87bba2b8798bb0697e9fb3eec793c09ad4caaed2b78e6b94866e5d61e7f3ae717ab09b5e4894c8855a3b3cd7dbe67b959e5e4389331e2a',
  ],
  [
    'gamma g 1.85 gamma b 1.95 sigmoidal RGB 35 0.13 saturation 1.15',
    '000000fefffefdfefdff0000001849fdfefdfdfefdf3fefe00fffffdfefdfcfefefdfefdfdfefd00fffffdfefdfdfefd5ffffffbff002efffffdfefdfdfefdfdfefdfdfefdffd7ff',
  ],
  [
    'saturation 1.2 saturation 1.2',
    '000000fdfffd7e807eff0000000203d8766ae588dd008dff0084f700ff8200d44be3c85ff3af0000a3788a505fb8ff000075ffe9000000e000880a28cad9ff009fbe1000ff540038',
  ],
  [
    'Gamma RGB 0.05 sigmoidal RGB 100 1',
    '000000ffffff000000ff0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
  ],
  [
    'sigmoidal RGB -30 0.9',
    '000000ffffffe4e4e4ff0000b6bbbfeee4e3f1e7efdae6f5cce5f0ddfee8ddefe2f3efe5f5ebdcb6e8e4e4dfe0f0fddbd4e3feefdabfd3f1d1e3d6d8f0f2fbdde8ebdfd3f3dccad9',
  ],
]

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))

test('formulas give the bytes of rio-tiler, give or take one', () => {
  for (const [formula, hex] of expected) {
    const data = bytes(colours)
    applyColourOperations(data, { colours: 3, stride: 3 }, parseColourFormula(formula))
    bytes(hex).forEach((byte, at) =>
      assert.ok(Math.abs(byte - data[at]!) <= 1, `${formula}: ${at} ${data[at]} ${byte}`),
    )
  }
})

test('a formula leaves alpha alone, and works on one shade', () => {
  const operations = parseColourFormula('gamma RGB 2 saturation 2')
  const rgba = Uint8Array.from([64, 128, 192, 7, 64, 128, 192, 200])
  applyColourOperations(rgba, { colours: 3, stride: 4 }, operations)
  assert.deepEqual([rgba[3], rgba[7]], [7, 200])
  assert.deepEqual([...rgba.subarray(0, 3)], [...rgba.subarray(4, 7)])
  const gray = Uint8Array.from([64, 9, 16, 8])
  applyColourOperations(gray, { colours: 1, stride: 2 }, parseColourFormula('gamma RGB 2'))
  assert.deepEqual([...gray], [127, 9, 63, 8])
})

test('a formula ends between pixels once it is cancelled', () => {
  let asked = 0
  const signal = { get aborted() { return ++asked > 2 } } as AbortSignal // prettier-ignore
  const data = new Uint8Array(3 * 500_000).fill(100)
  data[0] = 200
  const operations = parseColourFormula('saturation 2 '.repeat(10))
  assert.throws(() => applyColourOperations(data, { colours: 3, stride: 3, signal }, operations), { kind: 'cancelled' })
  assert.equal(asked, 3)
})

test('operations are read in any case, with commas or without, and bands by letter or number', () => {
  assert.deepEqual(parseColourFormula(' Gamma rGb 1.5,saturation .9, SIGMOIDAL 13 -4 0.5 '), [
    { name: 'gamma', channels: [0, 1, 2], gamma: 1.5 },
    { name: 'saturation', proportion: 0.9 },
    { name: 'sigmoidal', channels: [0, 2], contrast: -4, bias: 0.5 },
  ])
})

test('anything else is refused with a sentence', () => {
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['', /“” is no colour operation; write operations as in “gamma RGB/],
    ['vibrance 2', /“vibrance” is no colour operation/],
    ['constructor RGB 1', /“constructor” is no colour operation/],
    ['gamma RGB', /gamma is incomplete/],
    ['gamma RGB 0', /gamma is a number from 0.05 to 20, not “0”/],
    ['gamma RGB 21', /gamma is a number/],
    ['gamma RGB 1e1', /gamma is a number/],
    ['gamma RGB NaN', /gamma is a number/],
    ['gamma RGBA 2', /“RGBA” names no bands/],
    ['gamma 4 2', /“4” names no bands/],
    ['saturation -1', /saturation is a number from 0 to 10/],
    ['saturation 1 2', /“2” is no colour operation/],
    ['sigmoidal RGB 3', /sigmoidal is incomplete/],
    ['sigmoidal RGB 101 0.5', /the contrast of sigmoidal is a number from -100 to 100/],
    ['sigmoidal RGB 3 1.01', /the bias of sigmoidal is a number from 0 to 1/],
    ['gamma RGB 1 '.repeat(11), /at most 10 operations/],
    ['gamma RGB 1 '.repeat(50), /at most 200 characters/],
  ]
  for (const [text, message] of refusals)
    assert.throws(() => parseColourFormula(text), { name: 'RasterFailure', kind: 'request', message }, text)
  assert.throws(() => checkColourOperations(parseColourFormula('saturation 2'), 1), /saturation needs three bands/)
  assert.throws(
    () => checkColourOperations(parseColourFormula('gamma GB 2'), 1),
    /gamma names a band that is not shown/,
  )
  checkColourOperations(parseColourFormula('gamma RGB 2'), 1)
})
