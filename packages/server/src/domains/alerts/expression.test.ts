import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAlertExpression, substituteExpressionBandNames } from './expression.ts'

const resolve = (expression: string, band_mapping: Record<string, number> = {}) =>
  substituteExpressionBandNames({ expression, band_mapping })

test('the name of a spectral index stands for its formula, also as a part of an expression', () => {
  assert.equal(resolve('NDVI - 0.1'), '((nir - red) / (nir + red)) - 0.1')
  assert.deepEqual(parseAlertExpression({ expression: 'ndvi', band_mapping: {} }), ['nir', 'red'])
})

test('mapped names become band numbers, inside of formulas as well, and hide indices', () => {
  assert.equal(resolve('ndvi', { nir: 4, red: 3 }), '((b4 - b3) / (b4 + b3))')
  assert.equal(resolve('where(ndvi > 2, b1, 0)', { ndvi: 7 }), 'where(b7 > 2, b1, 0)')
})

test('the bands of an index have their scale and offset applied, those of any other expression do not', () => {
  const bands = ['red', 'nir'].map((name) => ({ name, common_name: name, scale: 0.0001, offset: -0.1 }))
  const [red, nir] = ['(b1 * 0.0001 - 0.1)', '(b2 * 0.0001 - 0.1)']
  const substitute = (expression: string, band_mapping: Record<string, number> = {}) =>
    substituteExpressionBandNames({ expression, band_mapping }, bands)
  assert.equal(substitute('ndvi'), `((${nir} - ${red}) / (${nir} + ${red}))`)
  assert.equal(substitute('ndvi', { nir: 1, red: 2 }), `((${red} - ${nir}) / (${red} + ${nir}))`)
  assert.equal(substitute('nir - red'), 'nir - red')
})

test('a mapping with the names of object members maps nothing else', () => {
  assert.equal(resolve('constructor + b1'), 'constructor + b1')
})
