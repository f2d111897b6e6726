import { useEffect } from 'react'
import { texts } from '../texts.ts'

/** The title of the page is the heading of the panel: it says where one is in the tab, the history and to a screen reader. */
export function usePageTitle(): void {
  useEffect(() => {
    const panel = document.getElementById('panel')
    if (!panel) return
    const update = (): void => {
      const heading = panel.querySelector('h1')?.textContent.trim()
      const title = heading ? texts.frame.pageTitle(heading) : texts.frame.product
      if (document.title !== title) document.title = title
    }
    const observer = new MutationObserver(update)
    observer.observe(panel, { childList: true, subtree: true, characterData: true })
    update()
    return () => observer.disconnect()
  }, [])
}
