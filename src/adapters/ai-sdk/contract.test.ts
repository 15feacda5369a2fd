import { ToolLoopAgent } from 'ai'
import { ToolLoopAgent as ToolLoopAgent7 } from 'ai7'
import { describe, expect, it } from 'vitest'
import { describeAdapterContract } from '../../testing/adapter-contract/describe-adapter-contract.ts'
import { adapterUnderTest } from './ai-sdk.fixture.ts'

const tools = { describe, it, expect }

describeAdapterContract(
  'AI SDK 6',
  adapterUnderTest((settings) => new ToolLoopAgent(settings as never), 'v3'),
  tools,
)
describeAdapterContract(
  'AI SDK 7',
  adapterUnderTest((settings) => new ToolLoopAgent7(settings as never), 'v4'),
  tools,
)
