import type { ErrorComponentProps } from '@tanstack/react-router'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { OctagonAlert } from 'lucide-react'

/** In the panel, if its screen failed or could not be loaded: the rail and the map stay. */
export function PanelFailure({ error, reset }: ErrorComponentProps) {
  // The files of a screen are missing after the server got a new build, or while it is away.
  const isMissing = /dynamically imported module|importing a module|module script/i.test(
    error instanceof Error ? error.message : '',
  )
  return (
    <section role="alert" aria-label={texts.frame.failed}>
      <EmptyState icon={OctagonAlert} title={texts.frame.failed}>
        <p>{isMissing ? texts.frame.notLoaded : texts.frame.failedHelp}</p>
        <Button onClick={isMissing ? () => location.reload() : reset}>
          {isMissing ? texts.frame.reload : texts.problem.retry}
        </Button>
      </EmptyState>
    </section>
  )
}
