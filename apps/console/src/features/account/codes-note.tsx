import { personTexts } from '../../texts/person.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import layout from '../../ui/layout.module.css'

const words = personTexts.codes

/** Recovery codes, which are shown once. */
export const CodesNote = ({ codes }: { codes: readonly string[] }) => (
  <div className={layout['stack8']} role="status">
    <p>{words.keep}</p>
    <ul className={layout['wrap']}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <div>
      <CopyButton label={words.copy} text={codes.join('\n')} />
    </div>
  </div>
)
