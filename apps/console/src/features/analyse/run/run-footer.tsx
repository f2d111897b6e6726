import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Process } from '@swath/client/operations.ts'
import { formatSum } from '../../../payments/describe-effect.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import styles from '../analyse.module.css'
import type { ProcessInput } from '../form/process-input.ts'
import type { AnalysedItem } from '../sources/analysed-item.ts'
import { describeSize, type JobPrice } from './job-price.ts'
import { RunDialog } from './run-dialog.tsx'

const words = texts.analyse

export interface RunFooterProps {
  readonly process: Process
  readonly input: ProcessInput
  readonly estimate: UseQueryResult<JobPrice>
  /** Why there is no price stands at the inputs. */
  readonly isRefusalShown: boolean
  readonly items: readonly AnalysedItem[]
  readonly project_id: string | null
}

/** The price, and the one button, which says the sum. */
export function RunFooter({ process, input, estimate, isRefusalShown, items, project_id }: RunFooterProps) {
  const [isAsking, setAsking] = useState(false)
  const isComplete = Object.keys(input.faults).length === 0 && project_id !== null
  const price = isComplete && !estimate.isFetching ? estimate.data : undefined
  const verb = price ? describeVerb(price) : isComplete && !estimate.isError ? words.pricing : words.price
  return (
    <div className={styles['footer']}>
      {isComplete && estimate.isError && !isRefusalShown && (
        <ProblemNote error={estimate.error} onRetry={() => void estimate.refetch()} />
      )}
      <small>{price ? describeSize(price) : isComplete ? null : words.incomplete}</small>
      {price?.reused_job_id && <small>{words.reused}</small>}
      <small>{words.neverCharged}</small>
      <div className={styles['row']}>
        <Button kind="primary" disabled={!price} onClick={() => price && setAsking(true)}>
          {verb}
        </Button>
        {isComplete && (
          <CopyCall operation="processing.catalog.estimate" input={{ process_id: process.id, inputs: input.inputs }} />
        )}
      </div>
      {isAsking && price && (
        <RunDialog
          process={process}
          inputs={input.inputs}
          price={price}
          items={items}
          project_id={project_id!}
          verb={verb}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

const describeVerb = ({ credits, reused_job_id }: JobPrice): string =>
  reused_job_id ? words.runFree : words.run(formatSum(credits))
