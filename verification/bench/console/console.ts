import type { BrowserContext, Page } from 'playwright-core'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { launchProfile, type ColourScheme } from '../../console/browser.ts'
import { startConsoleServer, type ConsoleServer } from '../../console/console-server.ts'
import { buyScenes, createPersonClient, waitForDelivery } from '../../console/sample-data.ts'
import { replacePassword, signInToChangePassword, waitForConsole, type Person } from '../../console/sign-in.ts'
import { alternate, median, ratiosOf, type Figure } from '../runner.ts'
import { startBareMap } from './bare-map.ts'
import { measureLighthouse } from './lighthouse-pages.ts'
import {
  answerManyScenes,
  observePage,
  readFirstCard,
  readLongTasks,
  readMapPaint,
  readScripts,
  type ScriptFile,
} from './page-timing.ts'
import { findViolations, readAxe } from '../../console/accessibility.ts'
import { watchPage } from '../../console/quiet.ts'
import { createFolder } from '../../prove/harness/resources.ts'

const password = 'correct horse battery staple 7'
const loads = 3
const pans = 20
const max_orders = 5
const byte_per_kb = 1000
const max_paint_ratio = 2

/**
 * Measures the console as people experience it: its bytes, its first paint, its responsiveness and its accessibility.
 */
export async function benchConsole(args: readonly string[]): Promise<readonly Figure[]> {
  // Lighthouse takes minutes, and a folder of its own.
  const isShort = args.includes('--short')
  const isOnlyLighthouse = args.includes('--lighthouse')
  await using folder = await createFolder('profile')
  const port = await freePort()
  await using server = await startConsoleServer()
  await using context = await launchProfile(folder.path, port)
  await signInOnce(context, server)
  const figures = isOnlyLighthouse
    ? []
    : [
        ...(await measureLoads(context, server.url)),
        ...(await measurePanning(context, server.url)),
        await countViolations(context, server.url),
      ]
  if (isShort) return figures
  await placeOrders(server.url, { email: server.credentials.username, password })
  return [...figures, ...(await measureLighthouse(server.url, port))]
}

async function signInOnce(context: BrowserContext, { url, credentials }: ConsoleServer): Promise<void> {
  const page = await context.newPage()
  await page.goto(url)
  await signInToChangePassword(page, { email: credentials.username, password: credentials.password })
  await replacePassword(page, password)
  await waitForConsole(page)
  await page.close()
}

/** The page of orders has rows, as for everybody who has worked with it. */
async function placeOrders(url: string, person: Person): Promise<void> {
  const client = createPersonClient(url, person)
  const { features } = await client.call('catalog.search', { host_name: 'open', limit: max_orders })
  const orders: string[] = []
  for (const scene of features) orders.push(await buyScenes(client, 'open', [scene]))
  for (const order of orders) await waitForDelivery(client, order)
}

const openExplore = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage()
  await observePage(page)
  await page.goto(`${url}/explore`)
  await page.locator('main li[data-scene]').first().waitFor()
  await waitForMapPaint(page)
  return page
}

const waitForMapPaint = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => performance.getEntriesByName('swath:map').length > 0)

const sumBytes = (scripts: readonly ScriptFile[]): number =>
  scripts.reduce((sum, { compressed_bytes }) => sum + compressed_bytes, 0)

const toKb = (bytes: number): number => Math.round(bytes / byte_per_kb)

const describeScript = ({ name, compressed_bytes }: ScriptFile): string => `${name} ${toKb(compressed_bytes)} KB`

/**
 * Loads Explore and a page that has only a map in turn. The first complete picture of both waits for the same programs of
 * the map, which a browser without a graphics card compiles on the processor; the ratio is what the console adds.
 */
async function measureLoads(context: BrowserContext, url: string): Promise<Figure[]> {
  await using bareMap = await startBareMap()
  const [bare = [], explore = []] = await alternate<Load>(
    loads,
    () => measureBareMap(context, bareMap.url),
    () => measureExplore(context, url),
  )
  const scripts = explore.map((load) => load.scripts).toSorted((a, b) => sumBytes(b) - sumBytes(a))[0] ?? []
  const [paints, barePaints] = [explore, bare].map((side) => side.map(({ paint_ms }) => paint_ms)) as [
    number[],
    number[],
  ]
  console.log(`files of the first screen: ${scripts.map(describeScript).join(', ')}`)
  console.log(
    `first map paint, ms: Explore ${paints.map(Math.round)}; a page with only a map ${barePaints.map(Math.round)}`,
  )
  return [
    { name: 'JavaScript of the first screen, KB', value: toKb(sumBytes(scripts)), must: 448, atMost: true },
    {
      name: 'first map paint, Explore / a page with only a map',
      value: median(ratiosOf(paints, barePaints)),
      must: max_paint_ratio,
      atMost: true,
    },
    {
      name: 'first card after the answer begins, ms',
      value: Math.round(median(explore.map(({ card_ms }) => card_ms))),
      must: 300,
      atMost: true,
    },
  ]
}

interface Load {
  readonly paint_ms: number
  readonly card_ms: number
  readonly scripts: readonly ScriptFile[]
}

async function measureExplore(context: BrowserContext, url: string): Promise<Load> {
  const page = await openExplore(context, url)
  const load = {
    paint_ms: await readMapPaint(page),
    card_ms: await readFirstCard(page),
    scripts: await readScripts(page),
  }
  await page.close()
  return load
}

async function measureBareMap(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  await page.goto(url)
  await waitForMapPaint(page)
  const load = { paint_ms: await readMapPaint(page), card_ms: 0, scripts: [] }
  await page.close()
  return load
}

async function measurePanning(context: BrowserContext, url: string): Promise<Figure[]> {
  const page = await context.newPage()
  await observePage(page)
  await answerManyScenes(page)
  await page.goto(`${url}/explore`)
  await page.locator('main li[data-scene]').first().waitFor()
  await page.waitForTimeout(2000)
  const before = (await readLongTasks(page)).length
  const box = (await page.locator('canvas').first().boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  for (let pan = 0; pan < pans; pan++) {
    await page.mouse.move(box.x + box.width / 2 + (pan % 10) * 12, box.y + box.height / 2 + (pan % 7) * 9, { steps: 3 })
  }
  await page.mouse.up()
  await page.waitForTimeout(500)
  const tasks = (await readLongTasks(page)).slice(before)
  await page.close()
  const value = Math.round(Math.max(0, ...tasks))
  return [{ name: 'longest task while panning over 1,500 footprints, ms', value, must: 200, atMost: true }]
}

/** The places of the rail, as a new organization sees them; `npm run screens` checks every screen in each of its states. */
const places = ['explore', 'tasking', 'cart', 'orders', 'library', 'analyse', 'watch', 'inbox', 'money', 'build', 'admin'] // prettier-ignore
const themes: readonly ColourScheme[] = ['dark', 'light']
const quiet_timeout_ms = 60_000

/** Elements that violate a rule of axe, over all places in both themes; each is printed. */
async function countViolations(context: BrowserContext, url: string): Promise<Figure> {
  const axe = await readAxe()
  let value = 0
  for (const place of places)
    for (const colorScheme of themes) {
      const page = await context.newPage()
      await page.emulateMedia({ colorScheme })
      const watch = watchPage(page)
      await page.goto(`${url}/${place}`)
      await watch.waitForQuiet({ timeout_ms: quiet_timeout_ms })
      const violations = await findViolations(page, axe)
      for (const violation of violations) console.log(`axe, /${place}, ${colorScheme}: ${violation}`)
      value += violations.length
      await page.close()
    }
  return { name: `axe violations, ${places.length} places in both themes`, value, must: 0, atMost: true }
}
