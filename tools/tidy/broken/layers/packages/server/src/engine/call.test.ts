// Tests may import from any layer.
import { app } from '../app.ts'
export const tested = app
