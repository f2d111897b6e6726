import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}

/** Rules of WCAG 2.0 to 2.2, levels A and AA, and the best practices of axe. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export const readAxe = (): Promise<string> =>
  readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs axe on a page; one line for each element that violates a rule. */
export async function findViolations(page: Page, axe: string): Promise<string[]> {
  // Evaluated by the debugger, which the policy of the page does not concern.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(tags)}, resultTypes: ['violations'] })`,
  )) as AxeResult
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help}: ${target.join(' ')} ${oneLine(failureSummary)}`),
  )
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 240)
