import { useState, type FormEvent } from 'react'
import { useCommand } from '../../api/use-operation.ts'
import { sandboxTexts } from '../../texts/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import styles from './sandbox.module.css'
import { scenarioAmounts, toScenario, type ScenarioKind } from './scenario.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = sandboxTexts
const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }))
const isKind = (kind: string): kind is ScenarioKind => Object.hasOwn(words.kinds, kind)

/** The form that sets how hosts and the bank behave next. */
export function ScenarioForm() {
  const run = useCommand('sandbox.scenario.run', ['sandbox.clock.get'])
  const [kind, setKind] = useState<ScenarioKind>('host.delay')
  const [amount, setAmount] = useState(String(scenarioAmounts['host.delay']!.usual))
  const needed = scenarioAmounts[kind]
  const scenario = toScenario(kind, amount)
  const choose = (value: string): void => {
    if (!isKind(value)) return
    setKind(value)
    setAmount(String(scenarioAmounts[value]?.usual ?? ''))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (scenario) run.mutate({ scenario })
  }
  return (
    <form className={`${layout['stack8']} ${styles['part']}`} onSubmit={submit}>
      <SelectField label={words.scenario} help={words.scenarioHelp} value={kind} onChange={choose} choices={kinds} />
      {needed && (
        <TextField label={words.amounts[needed.member]} inputMode="numeric" value={amount} onChange={setAmount} />
      )}
      <div className={layout['row']}>
        <Button type="submit" isPending={run.isPending} disabled={!scenario}>
          {words.run}
        </Button>
        {scenario && <CopyCall operation="sandbox.scenario.run" input={{ scenario }} />}
      </div>
      {run.data && run.data.scenarios.length > 0 && (
        <div role="status">
          <small className={typography['muted']}>{words.waiting}</small>
          <ul>
            {run.data.scenarios.map(({ id, kind: name, remaining }) => (
              <li key={id}>{words.remaining(isKind(name) ? words.kinds[name] : name, remaining)}</li>
            ))}
          </ul>
        </div>
      )}
      {run.isError && <ProblemNote error={run.error} />}
    </form>
  )
}
