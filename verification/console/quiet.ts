import type { Page, Request } from 'playwright-core'
import { texts } from '../../apps/console/src/texts.ts'

/** After this time without a request, a page has loaded its data. */
const quiet_ms = 400
const look_every_ms = 50

/** Answered as long as the page is open. */
const endless = 'events.stream'

/** Waits for a page, from the moment of its opening. */
interface PageWatch {
  /**
   * Waits until the page has a heading, no request is under way and, unless told otherwise, no placeholder is shown and
   * the map is idle; at most `timeout_ms`.
   */
  waitForQuiet(options: { readonly timeout_ms: number; readonly hasPlaceholders?: boolean }): Promise<void>
}

/**
 * Follows the requests of a page. The browser's `networkidle` says only once that a page is idle, and not again after a click.
 *
 * @param unanswered operations that are never answered.
 */
export function watchPage(page: Page, unanswered: readonly string[] = []): PageWatch {
  const running = new Set<Request>()
  let changed_ms = performance.now()
  const isCounted = (request: Request): boolean =>
    ![endless, ...unanswered].some((id) => request.url().endsWith(`/v1/op/${id}`))
  const end = (request: Request): void => {
    if (running.delete(request)) changed_ms = performance.now()
  }
  page.on('request', (request) => {
    if (!isCounted(request)) return
    // The requests of the document before end with it, some without an event.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) running.clear()
    running.add(request)
    changed_ms = performance.now()
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const isDrawn = async (): Promise<boolean> => (await page.locator('h1').count()) > 0
  const isMapBusy = async (): Promise<boolean> => (await page.locator('[role=application][aria-busy=true]').count()) > 0
  const countPlaceholders = (): Promise<number> => page.getByRole('status', { name: texts.ui.loading }).count()
  return {
    waitForQuiet: async ({ timeout_ms, hasPlaceholders = false }) => {
      const end_ms = performance.now() + timeout_ms
      while (performance.now() < end_ms) {
        const isQuiet = running.size === 0 && performance.now() - changed_ms >= quiet_ms
        const isComplete = async (): Promise<boolean> =>
          hasPlaceholders || ((await countPlaceholders()) === 0 && !(await isMapBusy()))
        if (isQuiet && (await isDrawn()) && (await isComplete())) return
        await page.waitForTimeout(look_every_ms)
      }
    },
  }
}
