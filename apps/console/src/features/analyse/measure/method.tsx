import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import type { InputSchema } from '../../../schema-form/schema-fields.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { InputSection } from '../form/input-section.tsx'
import { sortFields } from '../form/process-fields.ts'
import { readProcessInput } from '../form/process-input.ts'
import { readRefusedFields } from '../../../api/refused-fields.ts'
import { SourceSection } from '../sources/source-section.tsx'
import { useSources } from '../sources/use-sources.ts'
import { searchFor, useAnalyseUrl } from '../state/use-analyse-url.ts'
import { MethodResult } from './method-result.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = analyseTexts

type Method = OutputOf<'analytics.operations.get'>['operation']

/** One measurement: its parameters and its result. */
export function RunMethod() {
  const { methodName } = useParams({ strict: false }) as { methodName: string }
  const method = useOperation('analytics.operations.get', { operation_name: methodName })
  const { choices } = useAnalyseUrl()
  const back = { to: '/analyse', search: searchFor({ ...choices, values: {} }) as never } as const
  if (method.data) return <MethodScreen key={methodName} method={method.data.operation} back={back} />
  return (
    <Screen title={words.title} back={back}>
      <QueryView query={method} rows={8}>
        {() => null}
      </QueryView>
    </Screen>
  )
}

interface MethodScreenProps {
  readonly method: Method
  readonly back: { readonly to: '/analyse'; readonly search: never }
}

function MethodScreen({ method, back }: MethodScreenProps) {
  const url = useAnalyseUrl()
  const { choices, change } = url
  const sources = useSources(choices.items)
  const fields = useMemo(() => sortFields(method.params_schema as InputSchema), [method])
  const input = readProcessInput(fields, choices)
  const execute = useCommand('analytics.execute')
  const call = { operation: method.name, params: input.inputs }
  const isComplete = Object.keys(input.faults).length === 0
  const shown = useMemo(
    () => new Set([...fields.main, ...fields.more, ...(fields.area ? [fields.area] : [])].map(({ name }) => name)),
    [fields],
  )
  // A refusal is shown until the inputs are changed.
  const isCurrent = JSON.stringify(execute.variables?.params) === JSON.stringify(input.inputs)
  const refused = isCurrent ? readRefusedFields(execute.error, 'params', shown) : {}
  return (
    <Screen
      title={method.title}
      back={back}
      actions={<CopyCall operation="analytics.operations.get" input={{ operation_name: method.name }} />}
      footer={
        <div className={`${layout['stack4']} ${layout['inset']} ${layout['lineAbove']} ${layout['raised']}`}>
          <small>{isComplete ? words.measureFree : words.measureIncomplete}</small>
          <div className={`${layout['spread']} ${layout['firstGrows']}`}>
            <Button
              kind="primary"
              disabled={!isComplete}
              isPending={execute.isPending}
              onClick={() => isComplete && execute.mutate(call)}
            >
              {words.measure}
            </Button>
            {isComplete && <CopyCall operation="analytics.execute" input={call} />}
          </div>
        </div>
      }
    >
      <Section title={words.what}>
        <p className={typography['note']}>{method.description}</p>
      </Section>
      <SourceSection ids={choices.items} sources={sources} onChange={(items) => change({ items })} />
      <InputSection fields={fields} input={input} items={sources.items} url={url} refused={refused} />
      {execute.isError && isCurrent && Object.keys(refused).length === 0 && <ProblemNote error={execute.error} />}
      {execute.data && (
        <Section title={words.measured}>
          <MethodResult method={method.name} result={execute.data.result} />
        </Section>
      )}
    </Screen>
  )
}
