import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { launchProfile } from '../../console/browser.ts'
import { startConsoleServer, type ConsoleServer } from '../../console/console-server.ts'
import { replacePassword, signIn, waitForConsole } from '../../console/sign-in.ts'
import type { Figure } from '../figure.ts'
import { median } from '../median.ts'
import { runLighthouse, type LighthouseScores } from './lighthouse.ts'
import {
  answerManyScenes,
  observePage,
  readFirstCard,
  readLongTasks,
  readMapPaint,
  readScripts,
  type ScriptFile,
} from './page-timing.ts'
import { countViolations } from './place-violations.ts'

const password = 'correct horse battery staple 7'
const loads = 3
/** The performance of one run differs from the next by some points; Lighthouse advises the median of several. */
const lighthouse_runs = 5
const pans = 20
const byte_per_kb = 1000

/** The console as people meet it: what it loads, when it shows something, whether it stays responsive, and for whom. */
export async function benchConsole(args: readonly string[]): Promise<readonly Figure[]> {
  // Lighthouse takes minutes, and a folder of its own.
  const isShort = args.includes('--short')
  const folder = await mkdtemp(join(tmpdir(), 'swath-profile-'))
  const port = await freePort()
  const server = await startConsoleServer()
  const context = await launchProfile(folder, port)
  try {
    await signInOnce(context, server)
    return [
      ...(await measureLoads(context, server.url)),
      ...(await measurePanning(context, server.url)),
      await countViolations(context, server.url),
      ...(isShort ? [] : await measureLighthouse(server.url, port)),
    ]
  } finally {
    await context.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function signInOnce(context: BrowserContext, { url, credentials }: ConsoleServer): Promise<void> {
  const page = await context.newPage()
  await page.goto(url)
  await signIn(page, { email: credentials.username, password: credentials.password })
  await replacePassword(page, password)
  await waitForConsole(page)
  await page.close()
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
    { name: 'JavaScript of the first screen, KB', value: toKb(sumBytes(scripts)), must: 500, atMost: true },
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
  return [{ name: 'longest task while panning over 1,000 footprints, ms', value, must: 200, atMost: true }]
}

async function measureLighthouse(url: string, port: number): Promise<Figure[]> {
  const runs: LighthouseScores[] = []
  for (let run = 0; run < lighthouse_runs; run++) runs.push(await runLighthouse(`${url}/explore`, port))
  const performance = median(runs.map((run) => run.performance))
  const { accessibility, bestPractices, failed } = runs.find((run) => run.performance === performance)!
  if (failed.length > 0) console.log(`Lighthouse, audits below 0.9: ${failed.join(', ')}`)
  return [
    { name: 'Lighthouse performance', value: performance, must: 90 },
    { name: 'Lighthouse accessibility', value: accessibility, must: 100 },
    { name: 'Lighthouse best practices', value: bestPractices, must: 95 },
  ]
}
