import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { printConnectionFile } from './connection-file.ts'
import { formatTileSource, printLayerDefinition } from './layer-definition.ts'
import { readTileLayers } from './read-tile-layers.ts'

const layer = {
  id: '019cc0de-0000-7000-8000-000000000001',
  name: 'Port <of> "Oslo" & more\u0001',
  tiles: 'https://imagery.example/api/v1/items/1/tiles/{z}/{x}/{y}.png?key=swathtile_a&profile=ndvi',
  maxzoom: 14,
}

test('the source of tiles has its template encoded, so that its parameters are not those of QGIS', () => {
  const source = new URLSearchParams(formatTileSource(layer))
  assert.ok(source.toString() !== '' && formatTileSource(layer).includes('.png?key%3Dswathtile_a%26profile'))
  assert.deepEqual(Object.fromEntries(source), { type: 'xyz', zmin: '0', zmax: '14', url: layer.tiles })
})

test('a layer definition names each layer once in the tree and once among the layers, with texts escaped', () => {
  const text = printLayerDefinition('Group & co', [layer, { ...layer, id: 'two', name: 'Two' }])
  assert.equal(text.match(/<layer-tree-layer /g)?.length, 2)
  assert.equal(text.match(/<maplayer /g)?.length, 2)
  assert.equal(text.match(/swath_019cc0de_0000_7000_8000_000000000001/g)?.length, 2)
  assert.ok(text.includes('<layername>Port &lt;of&gt; &quot;Oslo&quot; &amp; more</layername>'))
  assert.ok(text.includes('name="Group &amp; co"'))
  assert.doesNotMatch(text, /&(?!amp;|lt;|gt;|quot;|apos;)/)
})

test('a file of connections has the root that QGIS expects of its kind, and no secret', () => {
  const stac = printConnectionFile('stac', 'Swath', 'https://imagery.example/signed/assets/stac')
  assert.match(stac, /^<!DOCTYPE connections>\n<qgsStacConnections version="1.0">/)
  assert.match(stac, /<stac name="Swath" url="https:\/\/imagery\.example\/signed\/assets\/stac" authcfg="" /)
  const features = printConnectionFile('features', 'Swath', 'https://imagery.example/assets/stac')
  assert.match(features, /<qgsWFSConnections version="1.1">[^]*version="OGC_API_FEATURES"/)
})

const problemOf = (status: number, problem: string): ApiProblem =>
  new ApiProblem(status, { type: `https://imagery.example/problems/${problem}`, title: problem, status }, null)

test('each layer has a token of its own, and items without a picture are left out', async () => {
  const calls: string[] = []
  const call = (async (operation: string, { item_id }: { item_id: string }) => {
    calls.push(`${operation} ${item_id}`)
    if (item_id === 'vector') throw problemOf(422, 'unsupported-raster')
    if (item_id === 'limited') throw problemOf(429, 'rate-limited')
    if (item_id === 'unreachable') throw new TypeError('fetch failed')
    return operation === 'items.tile.tilejson'
      ? { minzoom: 1, maxzoom: 9 }
      : { urls: { tiles: `https://imagery.example/${item_id}/{z}/{x}/{y}.png?key=${item_id}` } }
  }) as never
  const items = ['one', 'vector', 'two'].map((id) => ({ id, name: id.toUpperCase() }))
  const layers = await readTileLayers({ call }, items)
  assert.deepEqual(
    layers.map(({ id, name, tiles, maxzoom }) => [id, name, tiles, maxzoom]),
    [
      ['one', 'ONE', 'https://imagery.example/one/{z}/{x}/{y}.png?key=one', 9],
      ['two', 'TWO', 'https://imagery.example/two/{z}/{x}/{y}.png?key=two', 9],
    ],
  )
  assert.equal(calls.filter((one) => one === 'items.tile.token.create vector').length, 0)
  for (const id of ['limited', 'unreachable']) {
    calls.length = 0
    const incomplete = readTileLayers({ call }, [...items, { id, name: id }])
    await assert.rejects(incomplete, /rate-limited|fetch failed/)
    assert.deepEqual(
      calls.filter((one) => one.startsWith('items.tile.token.create')),
      [],
    )
  }
})
