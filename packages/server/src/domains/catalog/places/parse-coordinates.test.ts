import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCoordinates } from './parse-coordinates.ts'

const round = (value: number): number => Math.round(value * 1e4) / 1e4
const read = (text: string) => parseCoordinates(text).map(({ lat, lon, reading }) => [round(lat), round(lon), reading])

const [latFirst, lonFirst] = ['latitude, longitude', 'longitude, latitude']

test('reads degrees with the letters of their directions, before or after them, with minutes and seconds', () => {
  const rows: readonly (readonly [text: string, lat: number, lon: number, reading: string])[] = [
    ['46.5N 11.35E', 46.5, 11.35, latFirst!],
    ['11.35° E, 46.5° N', 46.5, 11.35, lonFirst!],
    ['E 11.35 N 46.5', 46.5, 11.35, lonFirst!],
    ['50°43′12″N 3°31′48″W', 50.72, -3.53, latFirst!],
    ['50 43 12 N, 3 31 48 W', 50.72, -3.53, latFirst!],
    [`40° 26.7717' N 79° 56.93172' W`, 40.4462, -79.9489, latFirst!],
    ['S 8 22.5 W 74 33.2', -8.375, -74.5533, latFirst!],
  ]
  for (const [text, lat, lon, reading] of rows) assert.deepEqual(read(text), [[lat, lon, reading]], text)
})

test('offers both orders of two numbers, latitude first, and only the possible one if there is one', () => {
  const both = [
    [46.5, 11.35, latFirst],
    [11.35, 46.5, lonFirst],
  ]
  for (const text of ['46.5, 11.35', '46.5 11.35', '46,5; 11,35', '46,5 11,35', 'lat 46.5 lon 11.35', '46.5/11.35'])
    assert.deepEqual(read(text), both, text)
  assert.deepEqual(read('151.21, −33.87'), [[-33.87, 151.21, lonFirst]])
  assert.deepEqual(read('-0.5 -100'), [[-0.5, -100, latFirst]])
})

test('reads MGRS references and full plus codes', () => {
  const [mgrs] = read('32T PS 80000 51000')
  assert.deepEqual(mgrs, [46.4885, 11.3454, 'MGRS'])
  assert.deepEqual(read('8FVHG4M6+XX'), read('8fvhg4m6+xx'))
  assert.equal(read('8FVHG4M6+XX')[0]![2], 'plus code')
})

test('reads nothing from other texts and from positions that do not exist', () => {
  for (const text of [
    'Berlin',
    '46.5',
    'New',
    '12 Main Street',
    '95, 200',
    '46 70 N 11 E',
    '46N 11N',
    '1 2 3',
    '32T PS 123',
    'N E',
    '',
  ])
    assert.deepEqual(read(text), [], text)
})
