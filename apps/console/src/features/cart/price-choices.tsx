import { texts } from '../../texts.ts'
import { CheckboxField } from '../../ui/field.tsx'
import typography from '../../ui/typography.module.css'

/** Whether the scenes of one date share one minimum area. */
export const SplitChoice = ({ isSplit, onChange }: { isSplit: boolean; onChange: (isSplit: boolean) => void }) => (
  <CheckboxField
    label={
      <>
        {texts.cart.split}
        <br />
        <small className={typography['note']}>{texts.cart.splitHelp}</small>
      </>
    }
    checked={isSplit}
    onChange={onChange}
  />
)

/** Whether area that is held already is paid for again. */
export const MissingChoice = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <CheckboxField
    label={
      <>
        {texts.cart.missing}
        <br />
        <small className={typography['note']}>{texts.cart.missingHelp}</small>
      </>
    }
    checked={isOn}
    onChange={onChange}
  />
)
