import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { square } from '../../../../test/geometries.ts'
import { createSlantedComb } from '../../../../test/cql2/hostile-geometries.ts'
import { assertRejected } from '../../../../test/call-operation.ts'
import { newId } from '../../../platform/ids.ts'
import { max_planned_assets, planJob } from '../plan-job.ts'
import type { PlannedItem, ProcessDefinition, ProcessInputReader } from '../process-definition.ts'
import { requireProcessArea } from '../process-inputs.ts'
import { rasterizeProcess } from '../processes/rasterize.ts'
import { requireProcess } from '../registry.ts'
import { findProcessInputErrors, max_job_inputs_bytes, withProcessInputErrors } from '../validate-inputs.ts'

test('an area keeps its type and coordinates, and no other member of the GeoJSON', () => {
  const area = square(11.3, 46.475, 0.01)
  assert.deepEqual(requireProcessArea({ ...area, comment: 'x'.repeat(1000), bbox: [0, 0, 1, 1] }, 'geometry'), area)
})

test('the areas of a job share the steps of their validation', async () => {
  const areas = Array.from({ length: 4 }, () => ({ geometry: createSlantedComb(700), value: 1 }))
  const reader = { item: async () => ({ item: { name: '' } }) } as unknown as ProcessInputReader
  const planned = rasterizeProcess.plan({ item: newId(), areas }, reader)
  await assert.rejects(planned, /^Problem: areas\.[1-3]\.geometry.* for one request/)
})

test('inputs of more than 1 MB are refused before their schema is applied', async () => {
  const definition = requireProcess('clip')
  const inputs = {
    item: newId(),
    geometry: { ...square(11.3, 46.475, 0.01), comment: 'x'.repeat(max_job_inputs_bytes) },
  }
  const refused = withProcessInputErrors(definition, 'inputs', inputs, () => Promise.reject(new Error('not planned')))
  await assertRejected(refused, 'too-large')
  assert.throws(() => findProcessInputErrors(definition, inputs), /bytes as JSON/)
  assert.deepEqual(findProcessInputErrors(definition, { ...inputs, geometry: square(11.3, 46.475, 0.01) }), [])
})

test('a job that would write more than 100 files is refused before a source is opened', async () => {
  const assets = Array.from({ length: max_planned_assets + 1 }, () => ({}))
  const plan = async () => [{ name: 'Many', type: 'clip', from: [], assets }] as unknown as readonly PlannedItem[]
  const definition: ProcessDefinition = { ...requireProcess('clip'), plan }
  // A plan reads its sources through the call: here there is nothing to read.
  await assertRejected(planJob({} as Call, definition, {}), 'budget-exceeded')
})
