import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser, openContext, type ColourScheme } from '../browser.ts'
import { startConsoleServer } from '../console-server.ts'
import { watchPage } from '../quiet.ts'
import { signIn, waitForConsole } from '../sign-in.ts'

/** Places that people know, of all continents: a coast, a river, a border, mountains, a forest. */
const places: Readonly<Record<string, readonly [lon: number, lat: number]>> = {
  exeter: [-3.53, 50.72],
  bolzano: [11.35, 46.5],
  berlin: [13.4, 52.52],
  'new-york': [-74.0, 40.71],
  rio: [-43.2, -22.91],
  tokyo: [139.7, 35.68],
  cairo: [31.24, 30.04],
  sydney: [151.21, -33.87],
  pucallpa: [-74.55, -8.38],
  vancouver: [-123.12, 49.28],
}

const idle_timeout_ms = 60_000

/** Takes pictures of the base map, and reports the requests of the first view and the warnings of the map. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: join('.data', 'base-map') },
      only: { type: 'string', default: '' },
      zooms: { type: 'string', default: '4,8,12' },
      themes: { type: 'string', default: 'light,dark' },
    },
  })
  await using server = await startConsoleServer()
  await using browser = await launchBrowser()
  await mkdir(values.out, { recursive: true })
  for (const theme of values.themes.split(',')) {
    const context = await openContext(browser, { theme: theme as ColourScheme, width: 1280 })
    const page = await context.newPage()
    page.setDefaultTimeout(idle_timeout_ms)
    const watch = watchPage(page)
    const bytes = countBytes(page)
    page.on('console', (message) => {
      if (message.type() === 'warning' || message.type() === 'error') console.log(`${theme}: ${message.text()}`)
    })
    await page.goto(server.url)
    await signIn(page, { email: server.credentials.username, password: server.credentials.password })
    await waitForConsole(page)
    await watch.waitForQuiet({ timeout_ms: idle_timeout_ms })
    console.log(`${theme}: the first view has ${Math.round((await bytes()) / 1024)} KiB of the base map`)
    await takePicture(page, join(values.out, `world-${theme}.png`))
    for (const [name, [lon, lat]] of Object.entries(places)) {
      if (!name.includes(values.only)) continue
      for (const zoom of values.zooms.split(',')) {
        await page.goto(`${server.url}/explore?v=${lon},${lat},${zoom}`)
        await watch.waitForQuiet({ timeout_ms: idle_timeout_ms })
        await takePicture(page, join(values.out, `${name}-${zoom}-${theme}.png`))
      }
    }
    await context.close()
  }
}

/** Returns the function that counts the bytes of the bodies of base map tiles, as they were sent. */
function countBytes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.url().includes('/base-map/'))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function takePicture(page: Page, file: string): Promise<void> {
  await page.waitForTimeout(300)
  await writeFile(file, await page.screenshot())
}

await main()
