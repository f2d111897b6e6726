import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTone, writeTone } from './tone.ts'

test('the sliders write the formula that they read', () => {
  for (const tone of [
    { saturation: 1.3, contrast: 4 },
    { saturation: 0, contrast: 0 },
    { saturation: 1, contrast: -2.5 },
    { saturation: 1, contrast: 0 },
  ])
    assert.deepEqual(readTone(writeTone(tone)), tone)
  assert.equal(writeTone({ saturation: 1.3, contrast: 4 }), 'sigmoidal RGB 4 0.5 saturation 1.3')
})

test('the sliders change their own operations of a formula and keep the others', () => {
  const formula = 'Gamma RG 1.2, sigmoidal RGB 6 .35  saturation 1.4 gamma b 0.9'
  const kept = (tone: ReturnType<typeof readTone>): string => {
    const written = writeTone(tone, formula)
    assert.deepEqual(readTone(written), tone)
    return written
  }
  assert.equal(kept({ saturation: 2, contrast: 6 }), 'Gamma RG 1.2 sigmoidal RGB 6 .35 saturation 2 gamma b 0.9')
  assert.equal(kept({ saturation: 1, contrast: 0 }), 'Gamma RG 1.2 sigmoidal RGB 0 .35 gamma b 0.9')
  assert.equal(writeTone({ saturation: 2, contrast: 3 }, 'saturation 1.3'), 'sigmoidal RGB 3 0.5 saturation 2')
  assert.equal(writeTone({ saturation: 2, contrast: 3 }, 'gamma G 2'), 'gamma G 2 sigmoidal RGB 3 0.5 saturation 2')
  assert.equal(writeTone({ saturation: 2, contrast: 0 }, writeTone({ saturation: 1, contrast: 0 })), 'saturation 2')
})

test('formulas of others are read as far as the sliders go', () => {
  assert.deepEqual(readTone(null), { saturation: 1, contrast: 0 })
  assert.deepEqual(readTone('Gamma RGB 3.5 Saturation 1.7 Sigmoidal RGB 15 0.35'), { saturation: 1.7, contrast: 15 })
  assert.deepEqual(readTone('sigmoidal G 3 0.5'), { saturation: 1, contrast: 0 })
})
