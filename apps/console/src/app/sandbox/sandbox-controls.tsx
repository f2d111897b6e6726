import type { UseQueryResult } from '@tanstack/react-query'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { useQueryClient } from '@tanstack/react-query'
import { sandboxTexts } from '../../texts/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatTime } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import styles from './sandbox.module.css'
import { ScenarioForm } from './scenario-form.tsx'
import { useAdvance } from './use-advance.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = sandboxTexts

type SandboxClock = OutputOf<'sandbox.clock.get'>

const steps = [
  ['hour', 3600],
  ['day', 86_400],
  ['week', 7 * 86_400],
] as const satisfies readonly (readonly [keyof typeof words.steps, number])[]

/** Everything that moves a sandbox: its time, scenarios, and a new beginning. */
export const SandboxControls = ({ clock }: { clock: UseQueryResult<SandboxClock> }) => (
  <>
    <p className={typography['muted']}>{words.help}</p>
    <QueryView query={clock} rows={2}>
      {(data) => <AdvanceButtons clock={data} />}
    </QueryView>
    <ScenarioForm />
    <ResetButton />
  </>
)

function AdvanceButtons({ clock: { next_due_at } }: { clock: SandboxClock }) {
  const advance = useAdvance()
  const { isPending, reached, data } = advance
  return (
    <div className={`${layout['stack8']} ${styles['part']}`} role="group" aria-label={words.advance}>
      <div className={layout['row']}>
        {steps.map(([name, seconds]) => (
          <Button key={name} isPending={isPending} onClick={() => advance.mutate({ seconds })}>
            {words.steps[name]}
          </Button>
        ))}
        <Button kind="quiet" isPending={isPending} onClick={() => advance.mutate({ seconds: 0 })}>
          {words.now}
        </Button>
      </div>
      {next_due_at ? (
        <div className={layout['row']}>
          <Button kind="primary" isPending={isPending} onClick={() => advance.mutate({ to: next_due_at })}>
            {words.next}
          </Button>
          <small className={typography['muted']}>
            {words.nextAt} <Time at={next_due_at} />
          </small>
        </div>
      ) : (
        <small className={typography['muted']}>{words.nothingDue}</small>
      )}
      <p role="status">
        {isPending && words.advancing(reached ? formatTime(reached) : '')}
        {!isPending && data && words.advanced(formatTime(data.now), data.steps)}
      </p>
      {advance.isError && <ProblemNote error={advance.error} />}
      <CopyCall operation="sandbox.clock.advance" input={{ seconds: steps[1][1] }} />
    </div>
  )
}

function ResetButton() {
  const queries = useQueryClient()
  const reset = useCommand('sandbox.reset')
  return (
    <div className={`${layout['stack8']} ${styles['part']}`}>
      <ConfirmButton
        label={words.reset}
        verb={words.reset}
        kind="danger"
        title={words.resetTitle}
        subject={words.title}
        text={words.resetText}
        cancel={words.keep}
        call={['sandbox.reset', {}]}
        command={reset}
        onSuccess={(close) => {
          close()
          void queries.invalidateQueries()
        }}
      />
      {reset.data && <p role="status">{words.resetDone(reset.data.stopped_orders, reset.data.deleted_items)}</p>}
    </div>
  )
}
