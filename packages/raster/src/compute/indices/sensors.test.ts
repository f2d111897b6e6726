import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spectralIndicesByName, listSpectralIndexBands } from './indices.ts'
import { findSensorBand, findSensorId, sensorsByName } from './sensors.ts'

/** Common names with the wavelengths, in nanometres, between which their bands lie. */
const wavelengthRanges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  coastal: [400, 455],
  blue: [428, 550],
  green: [490, 610],
  yellow: [585, 630],
  red: [580, 720],
  rededge: [690, 750],
  rededge075: [730, 750],
  rededge078: [765, 800],
  nir: [740, 950],
  nir08: [840, 890],
  nir09: [850, 1050],
  cirrus: [1350, 1400],
  swir16: [1540, 1760],
  swir22: [2070, 2360],
  lwir: [10_300, 12_550],
  lwir11: [10_200, 11_300],
  lwir12: [11_400, 12_600],
  pan: [440, 910],
}

test('every band lies at the wavelengths of its common name, which no other band of the sensor has', () => {
  assert.ok(sensorsByName.size >= 16)
  for (const [id, { bands }] of sensorsByName) {
    assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    const names = bands.flatMap(({ common_name }) => common_name ?? [])
    assert.equal(new Set(names).size, names.length, id)
    assert.equal(new Set(bands.map(({ name }) => name)).size, bands.length, id)
    for (const { name, common_name, center_nm, width_nm, resolution_m } of bands) {
      assert.ok(width_nm > 0 && resolution_m > 0, `${id} ${name}`)
      if (common_name === null) continue
      const [low, high] = wavelengthRanges[common_name]!
      const label = `${id} ${name} ${common_name}`
      assert.ok(center_nm - width_nm / 2 >= low && center_nm + width_nm / 2 <= high, label)
    }
  }
})

test('a sensor is found by any of its names', () => {
  for (const id of sensorsByName.keys()) assert.equal(findSensorId(id.toUpperCase()), id)
  assert.equal(findSensorId('Sentinel-2'), 'sentinel-2a')
  assert.equal(findSensorId('landsat8'), 'landsat-8')
  assert.equal(findSensorId('no such sensor'), null)
  assert.equal(findSensorId('constructor'), null)
})

test('a band is found by its name, its number and its common name', () => {
  const msi = sensorsByName.get('sentinel-2a')!
  const nameOf = (name: string): string | undefined => msi.bands[findSensorBand(msi, name) ?? -1]?.name
  assert.equal(nameOf('B04'), 'B04')
  assert.equal(nameOf('b4'), 'B04')
  assert.equal(nameOf('red'), 'B04')
  assert.equal(nameOf('b8a'), 'B8A')
  assert.equal(nameOf('rededge071'), 'B05')
  assert.equal(nameOf('rededge3'), 'B07')
  assert.equal(nameOf('nir'), 'B08')
  assert.equal(nameOf('swir1'), 'B11')
  assert.equal(nameOf('pan'), undefined)
  const oli = sensorsByName.get('landsat-8')!
  assert.equal(oli.bands[findSensorBand(oli, 'nir')!]!.name, 'B5', 'its only near-infrared band is narrow')
})

test('Sentinel-2 has the bands of every index, a camera of four bands those of the simple ones', () => {
  const listFor = (id: string): string[] =>
    [...spectralIndicesByName].flatMap(([index, row]) =>
      listSpectralIndexBands(row).every((name) => findSensorBand(sensorsByName.get(id)!, name) !== null) ? [index] : [],
    )
  assert.equal(listFor('sentinel-2a').length, spectralIndicesByName.size)
  const simple = listFor('naip')
  assert.ok(simple.includes('ndvi') && simple.includes('ndwi'))
  assert.ok(!simple.includes('nbr') && !simple.includes('ndre'))
})
