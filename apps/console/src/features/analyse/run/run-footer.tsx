import { useState } from 'react'
import type { Process } from '@swath/client/operations.ts'
import { formatSum } from '../../../payments/describe-effect.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { OverlayBoundary } from '../../../ui/boundaries/overlay-boundary.tsx'
import type { ProcessInput } from '../form/process-input.ts'
import type { AnalysedItem } from '../sources/analysed-item.ts'
import { describeSize, type JobPrice } from './job-price.ts'
import { RunDialog } from './run-dialog.tsx'
import type { Estimate } from './use-estimate.ts'
import layout from '../../../ui/layout.module.css'

const words = analyseTexts

export interface RunFooterProps {
  readonly process: Process
  readonly input: ProcessInput
  readonly estimate: Estimate
  /** Why there is no price stands at the inputs. */
  readonly isRefusalShown: boolean
  readonly items: readonly AnalysedItem[]
  readonly project_id: string | null
}

/** The run that a person has requested: its price stays, even if the platform returns another one meanwhile. */
interface AskedRun {
  readonly inputs: ProcessInput['inputs']
  readonly price: JobPrice
  readonly project_id: string
}

/** The price, and the one button, which says the sum. */
export function RunFooter({ process, input, estimate, isRefusalShown, items, project_id }: RunFooterProps) {
  const [asked, setAsked] = useState<AskedRun | null>(null)
  const isComplete = Object.keys(input.faults).length === 0 && project_id !== null
  const { price, error } = estimate
  const { inputs } = input
  const isPriced = isComplete && price !== null
  return (
    <div className={`${layout['stack4']} ${layout['inset']} ${layout['lineAbove']} ${layout['raised']}`}>
      {isComplete && error !== null && !isRefusalShown && <ProblemNote error={error} onRetry={estimate.retry} />}
      <small>{isPriced ? describeSize(price) : isComplete ? null : words.incomplete}</small>
      {isPriced && price.reused_job_id && <small>{words.reused}</small>}
      <small>{words.neverCharged}</small>
      <div className={`${layout['spread']} ${layout['firstGrows']}`}>
        <Button
          kind="primary"
          aria-haspopup="dialog"
          disabled={!isPriced}
          onClick={() => isPriced && setAsked({ inputs, price, project_id: project_id! })}
        >
          {isPriced ? describeVerb(price) : isComplete && error === null ? words.pricing : words.price}
        </Button>
        {isComplete && <CopyCall operation="processing.catalog.estimate" input={{ process_id: process.id, inputs }} />}
      </div>
      {asked && (
        <OverlayBoundary onClose={() => setAsked(null)}>
          <RunDialog
            process={process}
            {...asked}
            items={items}
            verb={describeVerb(asked.price)}
            onClose={() => setAsked(null)}
          />
        </OverlayBoundary>
      )}
    </div>
  )
}

const describeVerb = ({ credits, reused_job_id }: JobPrice): string =>
  reused_job_id ? words.runFree : words.run(formatSum(credits))
