import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { readCallInput, requireValidOutput } from '../../engine/input/read-input.ts'
import { Problem } from '../../engine/problem.ts'
import { handler as analyticsIndexGet } from './operations/analytics.index.get.ts'
import { handler as analyticsIndicesList } from './operations/analytics.indices.list.ts'
import { handler as analyticsOperationsGet } from './operations/analytics.operations.get.ts'
import { handler as analyticsOperationsList } from './operations/analytics.operations.list.ts'
import { handler as analyticsSensorsList } from './operations/analytics.sensors.list.ts'
import { handler as analyticsValidateFormula } from './operations/analytics.validate_formula.ts'

/** The registry is the same for every caller: these operations use nothing of the call. */
async function invoke<T>(handler: OperationHandler, input: object = {}): Promise<T> {
  const response = await handler.handle({} as Call, readCallInput(handler.operation, structuredClone(input)) as never)
  requireValidOutput(handler.operation, response)
  return response as T
}

interface IndexRow {
  readonly name: string
  readonly category: string
  readonly required_bands: string[]
  readonly sensors: string[]
}

test('indices are listed by category and by the bands that a sensor has', async () => {
  const list = (input: object) => invoke<{ indices: IndexRow[]; total: number }>(analyticsIndicesList, input)
  const { indices, total } = await list({})
  assert.ok(total >= 60 && indices.length === total)
  const water = (await list({ category: 'Water' })).indices
  assert.ok(water.length > 5 && water.every(({ category }) => category === 'water'))
  const names = (await list({ sensor: 'NAIP' })).indices.map(({ name }) => name)
  assert.ok(names.includes('ndvi') && !names.includes('nbr'))
  assert.deepEqual((await list({ category: 'no such category' })).indices, [])
  await assert.rejects(list({ sensor: 'no such sensor' }), { problem: 'validation' })
})

test('an index is found by its name in any case', async () => {
  const { index } = await invoke<{ index: IndexRow }>(analyticsIndexGet, { index_name: 'NDVI' })
  assert.deepEqual([index.name, index.required_bands], ['ndvi', ['nir', 'red']])
  assert.ok(index.sensors.includes('landsat-8'))
  const isMissing = (error: unknown) => error instanceof Problem && error.problem === 'not-found'
  await assert.rejects(invoke(analyticsIndexGet, { index_name: 'constructor' }), isMissing)
  await assert.rejects(invoke(analyticsOperationsGet, { operation_name: 'toString' }), isMissing)
})

test('sensors have the wavelengths of their bands', async () => {
  type Sensors = { sensors: { name: string; bands: { name: string; wavelength_um: number; bandwidth_nm: number }[] }[] }
  const { sensors } = await invoke<Sensors>(analyticsSensorsList)
  const red = sensors.find(({ name }) => name === 'sentinel-2a')!.bands.find(({ name }) => name === 'B04')!
  assert.deepEqual([red.wavelength_um, red.bandwidth_nm], [0.6646, 31])
})

test('each method is described with the schema of its parameters', async () => {
  type Method = { name: string; params_schema: { properties: object; required: string[] } }
  const { operations } = await invoke<{ operations: Method[] }>(analyticsOperationsList, { data_type: 'raster' })
  assert.deepEqual(
    operations.map(({ name }) => name),
    ['zonal_stats', 'time_series', 'change_detection', 'histogram', 'line_profile', 'point_series'],
  )
  const { operation } = await invoke<{ operation: Method }>(analyticsOperationsGet, {
    operation_name: 'change_detection',
  })
  assert.deepEqual(Object.keys(operation.params_schema.properties), [
    'before_item_id',
    'after_item_id',
    'index_name',
    'change_threshold',
    'geometry',
    'band_mapping',
  ])
  assert.ok(!operation.params_schema.required.includes('band_mapping'))
  assert.deepEqual(
    (await invoke<{ operations: Method[] }>(analyticsOperationsList, { data_type: 'vector' })).operations,
    [],
  )
})

test('a formula is valid if it can be parsed and the sensor has its bands', async () => {
  const rows: readonly [formula: string, sensor: string, valid: boolean, bands: string[]][] = [
    ['(nir - red) / (nir + red)', 'naip', true, ['nir', 'red']],
    ['B8A / b11', 'sentinel-2', true, ['B8A', 'b11']],
    ['(nir - swir16) / 2', 'naip', false, ['nir', 'swir16']],
    ['(nir - red', 'naip', false, []],
    ['1 + 1', 'naip', false, []],
  ]
  for (const [formula, sensor, valid, required_bands] of rows) {
    const result = await invoke<{ valid: boolean; error: string | null; required_bands: string[] }>(
      analyticsValidateFormula,
      {
        formula,
        sensor,
      },
    )
    assert.deepEqual([result.valid, result.error === null, result.required_bands], [valid, valid, required_bands])
  }
})
