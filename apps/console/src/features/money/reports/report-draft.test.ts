import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDraft, toCall } from './report-draft.ts'

const now = new Date('2030-02-01T00:00:00Z')
const area = { type: 'Polygon' as const, coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] as [number, number][][] } // prettier-ignore

test('a draft is a call of the report or of its schedule, once nothing is missing', () => {
  assert.deepEqual(toCall({ ...newDraft, days: '31' }, {}, now), [
    'reports.create',
    { report_type: 'spending', formats: ['pdf', 'csv'], from: '2030-01-01T00:00:00.000Z' },
  ])
  assert.equal(toCall({ ...newDraft, frequency: 'weekly' }, {}, now), null, 'a schedule needs a title')
  assert.deepEqual(toCall({ ...newDraft, name: ' Week ', frequency: 'weekly', projectId: 'p' }, {}, now), [
    'reports.schedules.create',
    { report_type: 'spending', formats: ['pdf', 'csv'], project_id: 'p', name: 'Week', frequency: 'weekly' },
  ])
})

test('a monitored area needs its area, and usage has no GeoJSON', () => {
  const monitored = { ...newDraft, type: 'area_monitoring' as const, formats: ['geojson' as const] }
  assert.equal(toCall(monitored, {}, now), null)
  const [, input] = toCall({ ...monitored, areaName: 'Bay' }, { Bay: area }, now)!
  assert.deepEqual([input.area, input.area_name, input.formats], [area, 'Bay', ['geojson']])
  assert.equal(toCall({ ...monitored, type: 'usage' }, {}, now), null, 'no format is left')
})
