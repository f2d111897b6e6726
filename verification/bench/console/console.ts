import type { BrowserContext, Page } from 'playwright-core'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { launchProfile, type ColourScheme } from '../../console/browser.ts'
import { startConsoleServer, type ConsoleServer } from '../../console/console-server.ts'
import { buyScenes, createPersonClient, waitForDelivery } from '../../console/sample-data.ts'
import { replacePassword, signInToChangePassword, waitForConsole, type Person } from '../../console/sign-in.ts'
import { median, type Figure } from '../runner.ts'
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
  await page.waitForFunction(() => performance.getEntriesByName('swath:map').length > 0)
  return page
}

const sumBytes = (scripts: readonly ScriptFile[]): number =>
  scripts.reduce((sum, { compressed_bytes }) => sum + compressed_bytes, 0)

const toKb = (bytes: number): number => Math.round(bytes / byte_per_kb)

const describeScript = ({ name, compressed_bytes }: ScriptFile): string => `${name} ${toKb(compressed_bytes)} KB`

async function measureLoads(context: BrowserContext, url: string): Promise<Figure[]> {
  const paints: number[] = []
  const cards: number[] = []
  let scripts: readonly ScriptFile[] = []
  for (let load = 0; load < loads; load++) {
    const page = await openExplore(context, url)
    paints.push(await readMapPaint(page))
    cards.push(await readFirstCard(page))
    const loaded = await readScripts(page)
    if (sumBytes(loaded) > sumBytes(scripts)) scripts = loaded
    await page.close()
  }
  console.log(`files of the first screen: ${scripts.map(describeScript).join(', ')}`)
  return [
    { name: 'JavaScript of the first screen, KB', value: toKb(sumBytes(scripts)), must: 448, atMost: true },
    { name: 'first map paint, ms', value: Math.round(median(paints)), must: 2000, atMost: true },
    { name: 'first card after the answer begins, ms', value: Math.round(median(cards)), must: 300, atMost: true },
  ]
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
