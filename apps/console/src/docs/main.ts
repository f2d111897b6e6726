import { createClient } from '@swath/client/client.ts'
import { docsTexts as texts } from '../texts/docs.ts'
import { followTheme } from '../theme/system-theme.ts'
import '../ui/theme/tokens.css'
import './docs.css'

followTheme('dark-mode')
const reference = document.querySelector('#reference')!

/** Shows the operations of this server; the library is loaded while the document is. */
async function showReference(): Promise<void> {
  const client = createClient({ baseUrl: location.origin, token: null })
  const [{ showOperations }, response] = await Promise.all([
    import('./show-operations.ts'),
    client.fetch('/openapi.json'),
  ])
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`)
  showOperations(reference, (await response.json()) as object)
}

showReference()
  .catch(() => {
    const note = document.createElement('p')
    note.role = 'alert'
    note.textContent = texts.failed
    reference.replaceChildren(note)
  })
  .finally(() => reference.setAttribute('aria-busy', 'false'))
