import type { ErrorComponentProps } from '@tanstack/react-router'
import { OctagonAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { reachServer } from '../session/reach-server.ts'
import { frameTexts } from '../texts/frame.ts'
import { problemTexts } from '../texts/problem.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { MissingFiles } from './load-files.ts'

/** In the panel, if its screen failed or could not be loaded: the rail and the map stay. */
export function PanelFailure({ error, reset }: ErrorComponentProps) {
  const isMissing = error instanceof MissingFiles
  return (
    <section role="alert" aria-label={frameTexts.failed}>
      <EmptyState icon={OctagonAlert} title={isMissing ? frameTexts.notLoaded : frameTexts.failed}>
        <p>{isMissing ? frameTexts.notLoadedHelp : frameTexts.failedHelp}</p>
        {isMissing ? <ReloadButton /> : <Button onClick={reset}>{problemTexts.retry}</Button>}
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
  return <Button onClick={reload}>{frameTexts.reload}</Button>
}
