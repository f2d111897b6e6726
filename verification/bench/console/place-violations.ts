import type { BrowserContext } from 'playwright-core'
import { findViolations, readAxe } from '../../console/accessibility.ts'
import type { ColourScheme } from '../../console/browser.ts'
import { watchPage } from '../../console/quiet.ts'
import type { Figure } from '../figure.ts'

/** The places of the rail, as a new organization sees them; `npm run screens` checks every screen in each of its states. */
const places = ['explore', 'tasking', 'cart', 'orders', 'library', 'analyse', 'watch', 'inbox', 'money', 'build', 'admin'] // prettier-ignore
const themes: readonly ColourScheme[] = ['dark', 'light']
const quiet_timeout_ms = 60_000

/** Elements that violate a rule of axe, over all places in both themes; each is printed. */
export async function countViolations(context: BrowserContext, url: string): Promise<Figure> {
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
