import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { brotliCompressSync } from 'node:zlib'

/** The files of MapLibre that the page loads. */
const contentTypes: Readonly<Record<string, string>> = {
  'maplibre-gl.css': 'text/css',
  'maplibre-gl.mjs': 'text/javascript',
  'maplibre-gl-shared.mjs': 'text/javascript',
  'maplibre-gl-worker.mjs': 'text/javascript',
}

const ring = [[0, 0], [40, 0], [40, 40], [0, 0]] // prettier-ignore

/** One layer of each kind that Explore draws: each kind is a shader program that the browser compiles and waits for. */
const mapStyle = {
  version: 8,
  sources: {
    shapes: {
      type: 'geojson',
      data: {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', properties: { name: 'Place' }, geometry: { type: 'Polygon', coordinates: [ring] } },
          { type: 'Feature', properties: { name: 'Place' }, geometry: { type: 'Point', coordinates: [10, 10] } },
        ],
      },
    },
    picture: {
      type: 'image',
      url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      coordinates: [[-60, 60], [60, 60], [60, -60], [-60, -60]], // prettier-ignore
    },
  },
  layers: [
    { id: 'background', type: 'background', paint: { 'background-color': '#ddeeff' } },
    { id: 'picture', type: 'raster', source: 'picture' },
    { id: 'areas', type: 'fill', source: 'shapes', paint: { 'fill-color': '#ccddbb' } },
    { id: 'borders', type: 'line', source: 'shapes', paint: { 'line-color': '#444444' } },
    { id: 'names', type: 'symbol', source: 'shapes', layout: { 'text-field': ['get', 'name'], 'text-font': ['sans'] } },
  ],
}

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Map</title><meta name="description" content="A map"><link rel="stylesheet" href="/maplibre-gl.css">
<style>html, body, #map { margin: 0; height: 100% }</style><main id="map" aria-label="Map"></main>
<script type="module">
import { Map, setWorkerUrl } from '/maplibre-gl.mjs'
setWorkerUrl('/maplibre-gl-worker.mjs')
const map = new Map({ container: 'map', zoom: 2, style: ${JSON.stringify(mapStyle)} })
map.once('load', () => performance.mark('swath:map'))
</script></html>`

export interface BareMap extends AsyncDisposable {
  readonly url: string
}

/**
 * Serves a page that has nothing but a map of MapLibre: the peer of Explore, because the time in which a browser without
 * a graphics card compiles the programs of the map blocks both pages alike.
 */
export async function startBareMap(): Promise<BareMap> {
  const names = Object.keys(contentTypes)
  const folder = new URL('./', import.meta.resolve('maplibre-gl/dist/maplibre-gl.css'))
  const files = await Promise.all(names.map(async (name) => brotliCompressSync(await readFile(new URL(name, folder)))))
  const server = createServer(({ url = '/' }, response) => {
    const index = names.indexOf(url.slice(1))
    if (index === -1) return void response.setHeader('content-type', 'text/html').end(html)
    response.setHeader('content-type', contentTypes[names[index]!]!).setHeader('content-encoding', 'br')
    response.end(files[index])
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address() as { readonly port: number }
  return {
    url: `http://127.0.0.1:${address.port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
