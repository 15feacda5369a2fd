import { describeStoredTexts } from './describe-stored-texts.ts'

describeStoredTexts(2_000)
