import type { ErrorComponentProps } from '@tanstack/react-router'
import { OctagonAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { reachServer } from '../session/reach-server.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { MissingFiles } from './load-files.ts'

/** In the panel, if its screen failed or could not be loaded: the rail and the map stay. */
export function PanelFailure({ error, reset }: ErrorComponentProps) {
  const isMissing = error instanceof MissingFiles
  return (
    <section role="alert" aria-label={texts.frame.failed}>
      <EmptyState icon={OctagonAlert} title={isMissing ? texts.frame.notLoaded : texts.frame.failed}>
        <p>{isMissing ? texts.frame.notLoadedHelp : texts.frame.failedHelp}</p>
        {isMissing ? <ReloadButton /> : <Button onClick={reset}>{texts.problem.retry}</Button>}
      </EmptyState>
    </section>
  )
}

const check_interval_ms = 3000

/** Opens the page again where it is, as soon as the server answers; without one, the browser would show a page of its own. */
function ReloadButton() {
  const [isAway, setAway] = useState(false)
  const reload = (): void =>
    void reachServer().then(
      () => location.reload(),
      () => setAway(true),
    )
  useEffect(() => {
    reachServer().catch(() => setAway(true))
  }, [])
  useEffect(() => {
    if (!isAway) return
    const timer = setInterval(reload, check_interval_ms)
    return () => clearInterval(timer)
  }, [isAway])
  return <Button onClick={reload}>{texts.frame.reload}</Button>
}
