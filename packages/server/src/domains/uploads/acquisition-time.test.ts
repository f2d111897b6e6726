import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationTime } from '../../platform/clock.ts'
import { findAcquisitionTime } from './acquisition-time.ts'

const now = new Date('2026-01-01T00:00:00Z') as OrganizationTime
const find = (metadata: Record<string, string>, name = 'image.tif'): string | undefined =>
  findAcquisitionTime(metadata, name, now)?.toISOString()

test('a time in the metadata is taken with its zone, before the name and the time of writing', () => {
  const written = { TIFFTAG_DATETIME: '2025:01:01 00:00:00' }
  assert.equal(find({ ...written, ACQUISITIONDATETIME: '2024-06-01T08:10:31+10:00' }), '2024-05-31T22:10:31.000Z')
  assert.equal(find({ acquisition_time: '2024-06-01T10:10:31.024Z' }, '20230101.tif'), '2024-06-01T10:10:31.024Z')
  assert.equal(find(written), '2025-01-01T00:00:00.000Z')
  assert.equal(find({ ...written, DATETIME: 'in summer' }, 'field_2024-06-01.tif'), '2024-06-01T00:00:00.000Z')
})

test('names of products are read in either case, with fractions and whatever number follows', () => {
  const rows: readonly [name: string, instant: string | undefined][] = [
    ['S2A_MSIL2A_20240601T101031_N0510_R022_T33UUP_20240601T143022.tif', '2024-06-01T10:10:31.000Z'],
    ['s2a_msil2a_20240601t101031_n0510_r022_t33uup.tif', '2024-06-01T10:10:31.000Z'],
    ['LC08_L1TP_190024_20240601_20240610_02_T1.tif', '2024-06-01T00:00:00.000Z'],
    ['20240601_101031_24_24b7_3B.tif', '2024-06-01T10:10:31.000Z'],
    ['CAPELLA_C06_SM_GEO_HH_20240601101031_20240601101036.tif', '2024-06-01T10:10:31.000Z'],
    ['scene_20240601T101031.024Z.tif', '2024-06-01T10:10:31.024Z'],
    ['IMG_20240601_101031-2485.tif', '2024-06-01T10:10:31.000Z'],
    ['tile_20240601T101031-0115.tif', '2024-06-01T10:10:31.000Z'],
    ['2024-06-01T10-10-31.tif', '2024-06-01T10:10:31.000Z'],
    ['tile_20241301.tif', undefined],
    ['order-20241231235960.tif', '2025-01-01T00:00:00.000Z'],
    ['1234567890.tif', undefined],
    ['plot_20240230.tif', undefined],
  ]
  for (const [name, instant] of rows) assert.equal(find({}, name), instant, name)
})

test('a time before photography or after tomorrow is none', () => {
  assert.equal(find({ DATETIME: '1700-01-01' }), undefined)
  assert.equal(find({ DATETIME: '2026-01-03' }), undefined)
  assert.equal(find({ DATETIME: '2026-01-03' }, '20251231.tif'), '2025-12-31T00:00:00.000Z')
})
