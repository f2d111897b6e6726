import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { launchProfile } from '../../console/browser.ts'
import { alternate, median, ratiosOf, type Figure } from '../runner.ts'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createFolder } from '../../prove/harness/resources.ts'
import { startBareMap } from './bare-map.ts'

/** The performance of one run differs from the next by some points; Lighthouse advises the median of several. */
const runs = 5

/**
 * Lighthouse on two pages of the console and on the sign-in page.
 *
 * @param port of the debugging protocol of a browser that is signed in.
 */
export async function measureLighthouse(url: string, port: number): Promise<Figure[]> {
  return [...(await measurePagesWithMap(url, port)), ...(await measureSignIn(url))]
}

/**
 * Explore and Orders beside a page that has only a map, in turn: on a machine without a graphics card a map of five kinds
 * of layers alone has 76 to 85 points of 100, because the page waits for its programs. The difference is what the
 * console adds.
 */
async function measurePagesWithMap(url: string, port: number): Promise<Figure[]> {
  await using bareMap = await startBareMap()
  const addresses = [bareMap.url, `${url}/explore`, `${url}/orders`]
  const [bare = [], explore = [], orders = []] = await alternate(
    runs,
    ...addresses.map((address) => () => runLighthouse(address, port)),
  )
  printPerformances(
    'a page with only a map',
    bare.map(({ performance }) => performance),
  )
  return [...compareRuns('Explore', explore, bare), ...compareRuns('Orders', orders, bare)]
}

function compareRuns(name: string, scores: readonly LighthouseScores[], bare: readonly LighthouseScores[]): Figure[] {
  const [ours = [], theirs = []] = [scores, bare].map((side) => side.map(({ performance }) => performance))
  const value = median(ratiosOf(ours, theirs))
  const [, ...others] = summarizeRuns(name, scores)
  return [{ name: `Lighthouse performance, ${name} / a page with only a map`, value, must: 0.9 }, ...others]
}

/** A browser without a session is sent to the sign-in page, whose address has the request of the console. */
async function measureSignIn(url: string): Promise<Figure[]> {
  await using folder = await createFolder('profile')
  const port = await freePort()
  await using context = await launchProfile(folder.path, port)
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel(/^password/i).waitFor()
  const address = page.url()
  await page.close()
  return await measurePage('sign-in', address, port)
}

async function measurePage(name: string, url: string, port: number): Promise<Figure[]> {
  const scores: LighthouseScores[] = []
  for (let run = 0; run < runs; run++) scores.push(await runLighthouse(url, port))
  return summarizeRuns(name, scores)
}

function summarizeRuns(name: string, scores: readonly LighthouseScores[]): Figure[] {
  const performances = scores.map((run) => run.performance)
  printPerformances(name, performances)
  const performance = median(performances)
  const { accessibility, bestPractices, failed } = scores.find((run) => run.performance === performance)!
  if (failed.length > 0) console.log(`Lighthouse, ${name}, audits below 0.9: ${failed.join(', ')}`)
  return [
    { name: `Lighthouse performance, ${name}`, value: performance, must: 90 },
    { name: `Lighthouse accessibility, ${name}`, value: accessibility, must: 100 },
    { name: `Lighthouse best practices, ${name}`, value: bestPractices, must: 95 },
  ]
}

const printPerformances = (name: string, performances: readonly number[]): void =>
  console.log(`Lighthouse performance, ${name}: ${performances.map((score) => score.toFixed(0)).join(', ')}`)

interface LighthouseScores {
  /** 0 to 100. */
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  /** Audits below 1 that count, by id. */
  readonly failed: readonly string[]
}

interface Report {
  readonly categories: Readonly<
    Record<string, { readonly score: number | null; readonly auditRefs: readonly { id: string; weight: number }[] }>
  >
  readonly audits: Readonly<Record<string, { readonly score: number | null }>>
}

const categories = ['performance', 'accessibility', 'best-practices'] as const

/**
 * Runs Lighthouse (desktop) on a page in a browser that is open already, with its session.
 *
 * @param port of the debugging protocol of the browser.
 */
async function runLighthouse(url: string, port: number): Promise<LighthouseScores> {
  const folder = join(tmpdir(), 'swath-lighthouse')
  await run('bash', fileURLToPath(new URL('./install-lighthouse.sh', import.meta.url)), folder)
  const output = join(folder, 'report.json')
  await run(
    process.execPath,
    join(folder, 'node_modules/lighthouse/cli/index.js'),
    url,
    `--port=${port}`,
    '--preset=desktop',
    '--disable-storage-reset',
    `--only-categories=${categories.join(',')}`,
    '--output=json',
    `--output-path=${output}`,
    '--quiet',
  )
  return readScores(JSON.parse(await readFile(output, 'utf8')) as Report)
}

function readScores(report: Report): LighthouseScores {
  const [performance, accessibility, bestPractices] = categories.map(
    (name) => (report.categories[name]?.score ?? Number.NaN) * 100,
  )
  const failed = categories.flatMap((name) =>
    (report.categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => id),
  )
  return { performance: performance!, accessibility: accessibility!, bestPractices: bestPractices!, failed }
}

async function run(program: string, ...parameters: string[]): Promise<void> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
}
