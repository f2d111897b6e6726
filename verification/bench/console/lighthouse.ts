import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface LighthouseScores {
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
export async function runLighthouse(url: string, port: number): Promise<LighthouseScores> {
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
