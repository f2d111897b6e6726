import { analyticsValidateFormulaOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireAnalyticsSensor } from '../registry.ts'
import { checkSensorFormula } from '../sensor-formula.ts'

export const handler = defineHandler(analyticsValidateFormulaOperation, async (_call, { formula, sensor: name }) => {
  const sensor = requireAnalyticsSensor(name)
  const { valid, error, required_bands } = checkSensorFormula(formula, sensor)
  const available_bands = sensor.bands.map((band) => band.common_name ?? band.name)
  return { formula, sensor: sensor.id, valid, error, required_bands: [...required_bands], available_bands }
})
