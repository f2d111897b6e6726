import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findPlaces } from './find-places.ts'
import { foldPlaceName } from './fold-name.ts'
import { readPlaceFile, writePlaceFile, type NamedPlace, type PlaceTable } from './place-file.ts'
import { createPlaceIndex } from './place-index.ts'

let table: PlaceTable
before(async () => {
  table = await createPlaceIndex().read()
})
const first = (query: string) => findPlaces(table, query, 5)[0]
const found = (query: string) => `${first(query)?.name} ${first(query)?.country_code}`

test('finds a place by its names in several languages and scripts', () => {
  const cologne = first('Cologne')
  assert.equal(cologne?.country, 'Germany')
  for (const name of ['Köln', 'koln', 'KÖLN', 'Colonia', 'Кёльн']) {
    const { lon, lat } = first(name) ?? {}
    assert.deepEqual({ lon, lat }, { lon: cologne!.lon, lat: cologne!.lat }, name)
  }
  assert.equal(found('東京'), 'Tokyo JP')
  assert.equal(found('Wien'), 'Vienna AT')
  assert.equal(first('Wien')?.matched_name, 'Wien')
  assert.equal(first('Vienna')?.matched_name, null)
})

test('finds countries and regions, with their extent', () => {
  for (const name of ['Germany', 'Deutschland', '德国', 'Allemagne']) assert.equal(first(name)?.kind, 'country', name)
  const [west, south, east, north] = first('Germany')!.bbox!
  assert.ok(
    west! > 5 && west! < 7 && south! > 46 && south! < 48 && east! > 14 && east! < 16 && north! > 54 && north! < 56,
  )
  assert.equal(first('Bavaria')?.kind ?? first('Bayern')?.kind, 'region')
})

test('finds a place by the beginning and by a later word of its name, the larger one first', () => {
  assert.equal(found('Pucal'), 'Pucallpa PE')
  assert.equal(found('moresby'), 'Port Moresby PG')
  assert.equal(found('Paris'), 'Paris FR')
  assert.equal(found('Exeter'), 'Exeter GB')
})

test('finds a place in the country or region after a comma', () => {
  assert.equal(found('Exeter, Australia'), 'Exeter AU')
  assert.equal(found('Paris, Texas'), 'Paris US')
})

test('finds a place in spite of one wrong, missing, additional or exchanged letter', () => {
  for (const name of ['Colgone', 'Pucalpa', 'Vancuver', 'Vancouverr', 'Sydnay']) assert.ok(first(name), name)
  assert.equal(found('Vancuver'), 'Vancouver CA')
  assert.equal(found('Sydnay'), 'Sydney AU')
})

test('finds nothing for text that is no name', () => {
  for (const text of ['', '  ', '...', 'qqqqqqxx']) assert.deepEqual(findPlaces(table, text, 5), [], text)
})

test('names are compared without case, accents and punctuation', () => {
  assert.equal(foldPlaceName("  L'Aquila  "), 'laquila')
  assert.equal(foldPlaceName('Saint-Étienne'), 'saint etienne')
  assert.equal(foldPlaceName('Łódź'), foldPlaceName('Lodz'))
  assert.equal(foldPlaceName('Straße'), 'strasse')
})

test('a written index is read as it was', () => {
  const places: NamedPlace[] = [
    {
      kind: 'country',
      name: 'Österreich',
      country_code: 'AT',
      population: 9_000_000,
      lon: 13.5,
      lat: 47.5,
      bbox: [9.5, 46.4, 17.2, 49],
    },
    { kind: 'settlement', name: '東京', country_code: 'JP', population: 0, lon: 139.692, lat: 35.689, bbox: null },
  ]
  const index = readPlaceFile(
    writePlaceFile(
      [
        ['Österreich', 0],
        ['東京', 1],
      ],
      places,
    ),
  )
  assert.equal(index.names.count, 2)
  assert.deepEqual(
    findPlaces(index, '東', 5).map(({ name, population, lon }) => ({ name, population, lon })),
    [{ name: '東京', population: null, lon: 139.692 }],
  )
  assert.deepEqual(findPlaces(index, 'osterr', 5)[0]?.bbox, [9.5, 46.4, 17.2, 49])
  assert.throws(() => writePlaceFile([['x'.repeat(300), 0]], places), RangeError)
})
